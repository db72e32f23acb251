package org.servletbench.bench.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompileQueueTest {

    /** Uses the output of JDK 17 and 25. */
    @Test
    void methodsThatWaitOrAreBeingCompiledAreCounted() {
        assertThat(CompileQueue.count("""
                Current compiles:\u0020
                C2 CompilerThread0  1474 %     4       Q::main @ 57 (128 bytes)

                C1 compile queue:
                1475       3       java.lang.ref.ReferenceQueue::reallyPoll (65 bytes)
                1476   !   3       jdk.internal.ref.PhantomCleanable::remove (60 bytes)

                C2 compile queue:
                Empty
                """)).isEqualTo(3);
        assertThat(CompileQueue.count("Current compiles:\n\nC1 compile queue:\nEmpty\n"))
                .isZero();
    }

    @Test
    void thisJvmTells() {
        assertThat(new CompileQueue().backlog()).matches("\\d+");
    }
}
