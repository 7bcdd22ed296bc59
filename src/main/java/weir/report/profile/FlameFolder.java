package weir.report.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import weir.results.RunFolder;

/** The pages of flame graphs in a run folder, beside its report. */
public final class FlameFolder implements FlamePages {
    static final String NAME = "profile";

    private static final Pattern PAGE =
            Pattern.compile("[0-9]{2,}-(over-[0-9]{2,}-)?[a-z][a-z0-9-]*-(cpu|alloc|lock|wall)\\.html");

    private final RunFolder folder;
    private final Set<String> written = new HashSet<>();

    public FlameFolder(RunFolder folder) {
        this.folder = folder;
    }

    @Override
    public boolean kept() {
        return true;
    }

    @Override
    public void put(String file, Supplier<String> page) {
        folder.put(NAME + "/" + file, page.get());
        written.add(file);
    }

    /** Removes pages of an earlier report that this one lacks, and no other file. */
    public void removeOthers() {
        Path pages = folder.path().resolve(NAME);
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
