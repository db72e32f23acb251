package org.servletbench.bench.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FinalC1CodeTest {

    /** Lines of JDK 17 and 25. */
    @Test
    void onlyMethodsThatC2CannotReplaceAreListed() {
        assertThat(FinalC1Code.methods("""
                        2 0 0 jdk.internal.misc.Unsafe.getReferenceVolatile(Ljava/lang/Object;J)Ljava/lang/Object; [0x1, 0x2 - 0x3]
                        36 1 0 java.lang.Enum.ordinal()I [0x1, 0x2 - 0x3]
                        227 1 0 java.util.Collections$EmptyList.size()I [0x1, 0x2 - 0x3]
                        15 3 1 java.lang.String.coder()B [0x1, 0x2 - 0x3]
                        264 4 0 java.lang.String.coder()B [0x1, 0x2 - 0x3]
                        700 1 0 a.B.get()I [0x1, 0x2 - 0x3]
                        701 2 0 a.B.get(I)I [0x1, 0x2 - 0x3]

                        no line of the list
                        """))
                .as("get(int) may still be replaced")
                .isEqualTo("java/lang/Enum.ordinal java/util/Collections$EmptyList.size");
        assertThat(FinalC1Code.methods("")).isEmpty();
    }

    @Test
    void thisJvmTells() {
        assertThat(FinalC1Code.methods(new DiagnosticCommands().run("compilerCodelist")))
                .contains("java/lang/Enum.ordinal");
    }
}
