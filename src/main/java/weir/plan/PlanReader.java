package weir.plan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads experiments. */
public final class PlanReader {
    /** The layer that {@code --short} lays over everything. */
    static final String SHORT = "short";

    private static final long LARGEST = 1 << 20;

    private PlanReader() {}

    /**
     * Reads a file, and lays over it what the command line says.
     *
     * @throws Problems with everything that is wrong with the file and what is laid over it
     */
    public static Experiment read(Path file, Overrides overrides) {
        return read(file, text(file), overrides);
    }

    /** Reads {@link Variant#resolved} back. */
    public static Variant resolved(String json) {
        return Resolved.variant(json);
    }

    /** Reads {@link Experiment#resolved} back. */
    public static Experiment experiment(String json) {
        return Resolved.experiment(json);
    }

    /** The same for a text that is not, or not yet, in that file. */
    public static Experiment read(Path file, String text, Overrides overrides) {
        Findings findings = new Findings();
        Findings missing = new Findings();
        Origin.Source source = Origin.Source.of(String.valueOf(file.getFileName()), text);
        Optional<Tree> parsed = YamlTree.parse(source, text, "", findings);
        if (parsed.isEmpty()) {
            findings.throwAny();
            throw new Problems(List.of(Problem.of(source.name(), "is empty; an experiment needs at least: load: {}")));
        }
        if (!(parsed.get() instanceof Tree.Section written)) {
            throw new Problems(List.of(parsed.get()
                    .origin()
                    .problem("an experiment is made of keys such as load: and measure:, not of '"
                            + shortened(parsed.get().line()) + "'")));
        }
        Path folder = file.toAbsolutePath().normalize().getParent();
        Outside outside = new Outside(folder == null ? Path.of("/") : folder, missing);
        Tree.Section tree = Shape.check(outside.tie(written), findings);
        boolean shaped = findings.none();
        CommandLine command = new CommandLine(overrides, tree, findings, missing);
        List<Layer> sets = command.layers();
        findings.settle();
        Tree.Section shorter = (Tree.Section) tree.section("short").moved(origin -> origin.in(SHORT));

        // Both are made whatever is asked for, so that a mistake in either is found at once.
        Draft full = Draft.of(tree, sets, findings);
        List<Layer> shortFirst = new ArrayList<>(List.of(Layer.tree(shorter)));
        shortFirst.addAll(sets);
        Draft brief = shorter.entries().isEmpty() ? full : Draft.of(tree, shortFirst, findings);
        Draft run = overrides.shortened() ? brief : full;
        List<Draft.Laid> chosen = command.chosen(run, full);
        List<String> running =
                chosen.stream().map(laid -> laid.variant().name()).toList();
        Tree.Section top = new References(full, run, running, findings).resolve();
        if (overrides.shortened() || full.equals(brief)) {
            command.checkCluster(chosen);
        } else {
            new References(full, brief, brief.names(), findings).resolve();
            command.checkCluster(chosen);
        }
        if (shaped && full.whole() && brief.whole()) {
            Checks checks = new Checks(findings);
            full.laid().forEach(checks::variant);
            brief.laid().forEach(checks::variant);
            checks.together(full);
            checks.metrics(top, chosen);
        }
        findings.throwAny();
        Tree.Section named =
                top.has("name") ? top : top.with("name", new Tree.Text(name(file), true, Origin.unwritten("default")));
        List<Variant> variants = chosen.stream().map(Draft.Laid::variant).toList();
        return Questions.experiment(
                file.toAbsolutePath().normalize(), overrides.shortened(), named, variants, missing.list());
    }

    private static String name(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return plain.isEmpty() ? "experiment" : plain.substring(0, Math.min(100, plain.length()));
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    /** The text of a file that can be an experiment at all. */
    private static String text(Path file) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw problem(name, "is a folder; name the experiment file in it");
        }
        if (!Files.exists(file)) {
            throw problem(name, "is not there");
        }
        if (!Files.isReadable(file)) {
            throw problem(name, "cannot be read; its permissions forbid it");
        }
        try {
            // A pipe or a device has no size, and might never end.
            byte[] bytes;
            try (var in = Files.newInputStream(file)) {
                bytes = in.readNBytes((int) LARGEST + 1);
            }
            if (bytes.length > LARGEST) {
                throw problem(name, "has more than " + LARGEST + " bytes; an experiment is a page of text");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw problem(name, "is not text but binary data");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw problem(name, "is not UTF-8 text");
        } catch (IOException e) {
            throw problem(name, "cannot be read: " + e.getMessage());
        }
    }

    private static Problems problem(String file, String message) {
        return new Problems(List.of(Problem.of(file, message)));
    }
}
