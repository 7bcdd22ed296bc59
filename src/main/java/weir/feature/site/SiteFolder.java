package weir.feature.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import weir.host.OwnedFolders;
import weir.io.Io;
import weir.results.RunFiles;

/** The folder of a site. Weir writes it completely or not at all, and replaces only a folder that it made. */
final class SiteFolder implements AutoCloseable {
    /** The file that only the folder of a site has. */
    private static final String MARK = "site.json";

    private static final Set<String> MADE =
            Set.of(MARK, "index.html", "feed.xml", "results", "keys", "charts", "experiments");

    private final Path path;
    private final Path part;
    private final Path old;

    SiteFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
        part = this.path.resolveSibling("." + this.path.getFileName() + ".part");
        old = this.path.resolveSibling("." + this.path.getFileName() + ".old");
        OwnedFolders.delete(part);
    }

    record Made(String weir, int results) {}

    static boolean isOne(Path folder) {
        return Files.exists(folder.resolve(MARK));
    }

    /** Returns a file in the folder that is not part of a site; empty if Weir may replace the folder. */
    static String foreign(Path folder) {
        if (!Files.exists(folder)) {
            return "";
        }
        boolean made = isOne(folder);
        return RunFiles.list(
                        folder,
                        file -> !made || !MADE.contains(file.getFileName().toString()))
                .stream()
                .findFirst()
                .map(file -> file.getFileName().toString())
                .orElse("");
    }

    /** Writes a file of the new site. */
    void put(String file, String text) {
        Path target = part.resolve(file);
        Io.attempt("writing " + target, () -> {
            Files.createDirectories(target.getParent());
            Files.writeString(target, text);
        });
    }

    /** Puts the new site in the place of the old one. */
    void finish(String weir, int results) {
        RunFiles.put(part.resolve(MARK), new Made(weir, results));
        Io.attempt("making " + path, () -> {
            if (Files.exists(path)) {
                Files.move(path, old, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    @Override
    public void close() {
        OwnedFolders.delete(part);
        if (Files.exists(old) && !Files.exists(path)) {
            Io.attempt("keeping " + path, () -> Files.move(old, path, StandardCopyOption.ATOMIC_MOVE));
        }
        OwnedFolders.delete(old);
    }
}
