package weir.plan.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.check.LayeredExperiment;
import weir.plan.property.ClientFile;
import weir.plan.property.Properties;
import weir.plan.syntax.Findings;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Tree;

/**
 * A resolver of the files that a tree names. Paths become absolute, and a properties file becomes a property map whose
 * secrets stay in the file. Missing files are findings.
 */
final class FileReferences {
    private static final Pattern FILE_REFERENCE = Pattern.compile("\\$\\{file:([^}]*)}");
    private static final String HASH = "sha256";
    private static final String JAVA = "cluster.java";

    private final Path folder;
    private final Findings missing;

    FileReferences(Path folder, Findings missing) {
        this.folder = folder.toAbsolutePath().normalize();
        this.missing = missing;
    }

    Tree.Section tie(Tree.Section tree) {
        return (Tree.Section) tie(Keys.ROOT, "", tree);
    }

    private Tree tie(KeyDescription key, String path, Tree tree) {
        if (tree instanceof Tree.Section section) {
            boolean properties = key.free() && key.of() == ScalarType.PROPERTY;
            Tree.Section tied = (Tree.Section) section.parts((name, value) -> {
                KeyDescription child = Keys.below(key, name);
                String below = path.isEmpty() ? name : path + "." + name;
                boolean reference = properties && !child.known() && value instanceof Tree.Text;
                return reference ? reference((Tree.Text) value) : tie(child, below, value);
            });
            return key.path().equals("load.value") ? hashed(tied, path) : tied;
        }
        if (!(tree instanceof Tree.Text text)) {
            return tree.parts((none, item) -> tie(key, path, item));
        }
        if (key.type() != ScalarType.PATH || text.isNull() || text.text().isEmpty()) {
            return tree;
        }
        Path file = absolute(text.text());
        boolean made = key.path().endsWith("data");
        boolean there = key.path().equals(JAVA);
        if (!made && !there && !Files.isReadable(file)) {
            missing.add(text.origin(), path, absent(file));
        }
        if (key.path().equals("cluster.client")) {
            return properties(file, path, text.origin());
        }
        return new Tree.Text(file.toString(), true, text.origin());
    }

    static void java(LayeredExperiment.LayeredVariant laid, Findings missing) {
        String file = laid.tree().section("cluster").text("java");
        if (!file.isEmpty() && laid.variant().cluster().here() && !Files.isReadable(Path.of(file))) {
            new ProblemSpot(laid.tree(), missing).wrong(JAVA, absent(Path.of(file)));
        }
    }

    private static String absent(Path file) {
        return "'" + file + "' does not exist, or cannot be read";
    }

    /** Records the hash of a file of values, so that another run can detect a change. */
    private Tree.Section hashed(Tree.Section value, String path) {
        if (!(value.entries().get("file") instanceof Tree.Text text) || text.isNull()) {
            return value;
        }
        Path file = Path.of(text.text());
        if (!Files.isReadable(file)) {
            return value;
        }
        try {
            long size = Files.isRegularFile(file) ? Files.size(file) : 0;
            if (size == 0 || size > Integer.MAX_VALUE) {
                missing.add(
                        text.origin(),
                        path + ".file",
                        "'" + file + "' is missing, not a file, empty, or larger than 2GB");
                return value;
            }
            String hash = Hash.of(file);
            if (value.entries().get(HASH) instanceof Tree.Text written
                    && !written.isNull()
                    && !written.text().equals(hash)) {
                missing.add(written.origin(), path + "." + HASH, "'" + file + "' has changed; its hash is " + hash);
                return value;
            }
            return value.with(HASH, new Tree.Text(hash, true, text.origin()));
        } catch (IOException e) {
            missing.add(text.origin(), path + ".file", "'" + file + "' cannot be read: " + e.getMessage());
            return value;
        }
    }

    /** The entries of a properties file, those of plugins below {@code plugin}, without ineffective ones. */
    private Tree properties(Path file, String path, Origin origin) {
        // The file may contain secrets, so messages never show its lines.
        Origin place = new Origin(Origin.Source.of(file.getFileName().toString(), ""), 0, 0, origin.layer());
        Tree.Section entries = Tree.Section.empty(place);
        Tree.Section plugin = Tree.Section.empty(place);
        if (!Files.isReadable(file)) {
            return entries;
        }
        try {
            for (Map.Entry<String, String> entry : ClientFile.read(file).entrySet()) {
                String name = entry.getKey();
                Tree value = new Tree.Text(entry.getValue(), true, place);
                String without = Properties.withoutEffect(name);
                String doubt = Properties.doubt(name);
                if (!without.isEmpty()) {
                    missing.remark(file.getFileName() + ": '" + name + "' has no effect: " + without);
                } else if (!doubt.isEmpty()) {
                    missing.remark(file.getFileName() + ": '" + name + "' " + doubt + "; Weir passes it on unchanged");
                    plugin = plugin.with(name, value);
                } else {
                    entries = entries.with(name, value);
                }
            }
        } catch (IllegalArgumentException e) {
            missing.add(origin, path, String.valueOf(e.getMessage()));
        }
        return plugin.entries().isEmpty() ? entries : entries.with(Paths.PLUGIN, plugin);
    }

    private Tree.Text reference(Tree.Text text) {
        Matcher m = FILE_REFERENCE.matcher(text.text());
        String made = m.replaceAll(found -> Matcher.quoteReplacement("${file:" + absolute(found.group(1)) + "}"));
        return made.equals(text.text()) ? text : new Tree.Text(made, true, text.origin());
    }

    private Path absolute(String text) {
        try {
            return folder.resolve(text).normalize();
        } catch (InvalidPathException e) {
            return folder.resolve("not-a-path");
        }
    }
}
