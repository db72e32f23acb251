package org.servletbench.bench.server;

import java.util.Optional;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;

/** Whether a connector's native library is on this machine. */
public final class NativeLibraries {

    private NativeLibraries() {}

    /** The line that says what to install; empty where nothing is missing. */
    public static Optional<String> missing(NativeLibrary library) {
        try {
            Preflight.folderOf(library);
            return Optional.empty();
        } catch (TargetException e) {
            return Optional.of(e.getMessage());
        }
    }
}
