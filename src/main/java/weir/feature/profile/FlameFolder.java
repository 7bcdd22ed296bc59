package weir.feature.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/** The folder of flame graphs in a run folder, beside its report. */
final class FlameFolder {
    static final String NAME = "profile";

    private static final Pattern PAGE =
            Pattern.compile("[0-9]{2,}-(over-[0-9]{2,}-)?[a-z][a-z0-9-]*-(cpu|alloc|lock|wall)\\.html");

    private FlameFolder() {}

    /** Removes pages of an earlier report that this one lacks, and no other file. */
    static void keepOnly(Set<String> written, Path run) {
        Path pages = run.resolve(NAME);
        if (!Files.isDirectory(pages, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(pages, "*.html")) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (PAGE.matcher(name).matches() && !written.contains(name) && ours(file)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("removing pages of an earlier report from " + pages, e);
        }
    }

    private static boolean ours(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) <= FlamePage.LARGEST
                && Files.readString(file).contains(FlamePage.FOOTER);
    }
}
