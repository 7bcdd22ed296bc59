package weir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders in memory, where there is enough: on a disk, making and deleting them takes a quarter of all CPU. Real
 * brokers stay on the disk.
 */
public final class MemoryTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** Containers often have 64 MB. */
    private static final long ENOUGH = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        Class<?> test = context.getRequiredTestClass();
        boolean small =
                !test.getSimpleName().endsWith("IT") && !test.getPackageName().equals("weir.real");
        // Whoever names another folder clears it, also when this JVM is killed.
        boolean usual = System.getProperty("java.io.tmpdir").equals("/tmp");
        boolean room = small
                && usual
                && Files.isWritable(MEMORY)
                && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH;
        return room ? Files.createTempDirectory(MEMORY, "weir-test-") : Files.createTempDirectory("weir-test-");
    }
}
