package weir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders in memory if there is enough of it. On a disk, making and deleting folders takes a quarter of all
 * CPU. Real brokers use the disk.
 */
public final class MemoryTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** Containers often have only 64 MB. */
    private static final long ENOUGH = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        Class<?> test = context.getRequiredTestClass();
        boolean small =
                !test.getSimpleName().endsWith("IT") && !test.getPackageName().equals("weir.real");
        // If the user set another folder, the user also clears it, even after a killed JVM.
        boolean usual = System.getProperty("java.io.tmpdir").equals("/tmp");
        boolean room = small
                && usual
                && Files.isWritable(MEMORY)
                && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH;
        return room ? Files.createTempDirectory(MEMORY, "weir-test-") : Files.createTempDirectory("weir-test-");
    }
}
