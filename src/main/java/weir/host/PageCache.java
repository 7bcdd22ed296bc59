package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pages of some files that the kernel keeps in memory. Only these files are touched, and only pages that nobody
 * maps can go: of what a process has mapped, the kernel keeps what it likes. No rights are needed beside those to read
 * the files.
 */
public final class PageCache {
    private static final int PAGE = 4096;
    private static final long MOST_MAPPED = 1L << 30;
    /** One page of each so many bytes tells for all of them. */
    private static final long SAMPLED = 64 << 10;

    private PageCache() {}

    /** How much of some files is in memory. */
    public record Residency(long bytes, long residentBytes) {
        public double share() {
            return bytes == 0 ? 0 : (double) residentBytes / bytes;
        }
    }

    /** The files below a folder whose names end so; what goes while it looks is not there. */
    public static List<Path> files(Path folder, String ending) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && file.toString().endsWith(ending)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    return gone(e);
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                    return e == null ? FileVisitResult.CONTINUE : gone(e);
                }

                private FileVisitResult gone(IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + folder, e);
        }
        return files;
    }

    /** Writes what is not on the disk yet, so that the kernel does not do it later. */
    public static void write(List<Path> files) {
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.force(false);
            } catch (NoSuchFileException rolled) {
                // What is gone is not written any more.
            } catch (IOException e) {
                throw new UncheckedIOException("writing " + file + " to the disk", e);
            }
        }
    }

    /** Writes what is not on the disk yet, since only that can be forgotten, and forgets it. */
    public static void drop(List<Path> files) {
        write(files);
        files.forEach(PageCache::forget);
    }

    // Java has no posix_fadvise; dd of the GNU coreutils gives POSIX_FADV_DONTNEED for a whole file when it copies
    // nothing.
    private static void forget(Path file) {
        try {
            Programs.run("dd", "if=" + file, "of=/dev/null", "iflag=nocache", "count=0", "status=none");
        } catch (UncheckedIOException e) {
            throw new IllegalStateException(
                    "dropping " + file + " from the page cache, which needs dd of the GNU coreutils", e);
        } catch (IllegalStateException e) {
            if (Files.exists(file)) {
                throw new IllegalStateException("dropping " + file + " from the page cache: " + e.getMessage(), e);
            }
        }
    }

    /** Looks at some pages of each file, without reading any. */
    public static Residency residency(List<Path> files) {
        long bytes = 0;
        double resident = 0;
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                long size = channel.size();
                bytes += size;
                resident += size * share(channel, size);
            } catch (NoSuchFileException rolled) {
                // What is gone is not in memory.
            } catch (IOException e) {
                throw new UncheckedIOException("looking at " + file, e);
            }
        }
        return new Residency(bytes, Math.round(resident));
    }

    private static double share(FileChannel channel, long size) throws IOException {
        List<Boolean> seen = new ArrayList<>();
        for (long from = 0; from < size; from += MOST_MAPPED) {
            long length = Math.min(MOST_MAPPED, size - from);
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, from, length);
            for (long at = 0; at < length; at += SAMPLED) {
                seen.add(map.slice((int) at, (int) Math.min(PAGE, length - at)).isLoaded());
            }
        }
        return seen.isEmpty() ? 0 : (double) seen.stream().filter(here -> here).count() / seen.size();
    }
}
