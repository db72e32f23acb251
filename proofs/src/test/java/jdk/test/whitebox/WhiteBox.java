package jdk.test.whitebox;

/**
 * Part of HotSpot's interface for tests: the JVM knows the class by this name, binds the methods that it has, and accepts it from the
 * boot class path with {@code -XX:+WhiteBoxAPI} only.
 */
public final class WhiteBox {

    static {
        registerNatives();
    }

    private static native void registerNatives();

    /** Makes all compilers wait before their next method, until {@code unlockCompilation}, which nobody calls. */
    public native void lockCompilation();
}
