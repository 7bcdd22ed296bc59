package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.io.Io;

/**
 * The pages of files in the kernel's page cache. Weir needs only the right to read the files. It can drop only pages
 * that no process has mapped.
 */
public final class PageCache {
    private static final int PAGE = 4096;
    private static final long MOST_MAPPED = 1L << 30;
    /** The number of bytes that one sampled page represents. */
    private static final long SAMPLED = 64 << 10;

    private PageCache() {}

    public record Residency(long bytes, long residentBytes) {
        public double share() {
            return bytes == 0 ? 0 : (double) residentBytes / bytes;
        }
    }

    public static List<Path> files(Path folder, String ending) {
        List<Path> files = new ArrayList<>();
        Io.attempt("listing " + folder, () -> collect(folder, ending, files));
        return files;
    }

    private static void collect(Path folder, String ending, List<Path> files) throws IOException {
        try {
            for (Path entry : KernelFiles.entries(folder, any -> true)) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    collect(entry, ending, files);
                } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                        && entry.toString().endsWith(ending)) {
                    files.add(entry);
                }
            }
        } catch (NoSuchFileException gone) {
            // The folder was deleted meanwhile.
        }
    }

    /** Writes dirty pages to the disk, so that the kernel does not write them during a measurement. */
    public static void write(List<Path> files) {
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.force(false);
            } catch (NoSuchFileException rolled) {
                // The file was deleted meanwhile.
            } catch (IOException e) {
                throw new UncheckedIOException("writing " + file + " to the disk", e);
            }
        }
    }

    /** Drops all pages. It first writes dirty pages to the disk, because only clean pages can be dropped. */
    public static void drop(List<Path> files) {
        write(files);
        files.forEach(PageCache::forget);
    }

    // Java has no posix_fadvise; dd of the GNU coreutils calls POSIX_FADV_DONTNEED for a whole file when it copies
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

    /** Samples which pages are in the page cache, without reading pages into memory. */
    public static Residency residency(List<Path> files) {
        long bytes = 0;
        double resident = 0;
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                long size = channel.size();
                bytes += size;
                resident += size * share(channel, size);
            } catch (NoSuchFileException rolled) {
                // The file was deleted meanwhile, so it is not in memory.
            } catch (IOException e) {
                throw new UncheckedIOException("reading " + file, e);
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
