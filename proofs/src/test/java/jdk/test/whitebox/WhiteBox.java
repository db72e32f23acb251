package jdk.test.whitebox;

/**
 * Part of HotSpot's test interface. The JVM knows the class by this name, binds its native methods, and accepts it only
 * from the boot class path with {@code -XX:+WhiteBoxAPI}.
 */
public final class WhiteBox {

    static {
        registerNatives();
    }

    private static native void registerNatives();

    /** Makes all compilers wait before their next method, until {@code unlockCompilation}, which is never called. */
    public native void lockCompilation();
}
