package weir.plan.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.ModelKind;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.check.Checks;
import weir.plan.check.ExperimentBounds;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.SearchChecks;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.ProblemSpot.TreePositions;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;

public final class PlanReader {
    static final String SHORT = "short";
    private static final int LARGEST = 1 << 20;

    private PlanReader() {}

    /**
     * Reads a file and applies the options of the command line.
     *
     * @throws Problems with all mistakes in the file and the options
     */
    public static Experiment read(Path file, Overrides overrides) {
        return read(file, text(file), overrides);
    }

    public static Experiment read(Path file, String text, Overrides overrides) {
        Findings findings = new Findings();
        Findings missing = new Findings();
        Path absolute = file.toAbsolutePath().normalize();
        FileReferences outside = new FileReferences(absolute.resolveSibling(""), missing);
        Tree.Section tied = outside.tie(RateScale.scaled(written(file, text, findings), overrides.scale()));
        Tree.Section tree = ShapeCheck.check(tied, tied, findings);
        CommandLineOverlay command = new CommandLineOverlay(overrides, tree, findings, missing);
        List<Layer> above = command.layers();
        findings.settle();

        // Both forms are always made, so that a mistake in any form is reported at once.
        LayeredExperiment full = VariantTrees.apply(tree, above, false, findings);
        Layer shorter = new Layer((Tree.Section) tree.section(SHORT).moved(origin -> origin.in(SHORT)));
        List<Layer> all = Stream.concat(Stream.of(shorter), above.stream()).toList();
        boolean alike = tree.section(SHORT).entries().isEmpty() && !overrides.shortened();
        LayeredExperiment brief = alike ? full : VariantTrees.apply(tree, all, overrides.shortened(), findings);
        LayeredExperiment run = overrides.shortened() ? brief : full;
        List<LayeredExperiment.LayeredVariant> chosen = command.chosen(run, full);
        List<Variant> variants =
                chosen.stream().map(LayeredExperiment.LayeredVariant::variant).toList();
        List<String> outOfShort = new ArrayList<>();
        new References(full, brief, brief.names(), findings, outOfShort).resolve();
        List<String> leftOut = new ArrayList<>();
        List<String> running = variants.stream().map(Variant::name).toList();
        Tree.Section resolved = new References(full, run, running, findings, leftOut).resolve();
        Tree.Section top = overrides.shortened() && findings.sound("search") ? ShortForm.searching(resolved) : resolved;
        // The file decides about the parts of its short form.
        leftOut.removeAll(overrides.shortened() ? outOfShort : List.of());
        command.checkCluster(chosen);
        chosen.forEach(laid -> FileReferences.java(laid, missing));
        for (LayeredExperiment either : alike ? List.of(full) : List.of(full, brief)) {
            either.laid().forEach(laid -> new Checks(new ProblemSpot(laid.tree(), findings), laid.variant()).check());
            new ExperimentBounds(findings).check(either.laid());
            Checks.together(either, findings);
        }
        Checks.metrics(top, chosen, findings);
        for (ModelKind kind : Features.each(ModelKind.class)) {
            kind.check(full, true, findings);
            kind.check(brief, false, findings);
        }
        List<String> names = new ArrayList<>(full.names());
        names.addAll(brief.names());
        new SearchChecks(top, names, chosen, findings).check();
        findings.throwAny();
        Map<String, Tree.Section> trees = chosen.stream()
                .collect(Collectors.toMap(laid -> laid.variant().name(), LayeredExperiment.LayeredVariant::tree));
        Tree.Section bound = overrides.shortened() ? ShortForm.of(named(top, file)) : named(top, file);
        Tree.Section own = Defaults.fill(bound.only(Keys.ONCE), Keys.ONCE);
        return new Binder(own)
                .bind(
                        Experiment.class,
                        Map.of(
                                "file", absolute,
                                "shortened", overrides.shortened(),
                                "variants", variants,
                                "models",
                                        Features.each(ModelKind.class).stream()
                                                .flatMap(kind -> kind.asked(own, variants).stream())
                                                .toList(),
                                "leftOut", overrides.only().isEmpty() ? List.of() : leftOut,
                                "unjudged", unjudged(full.top(), bound),
                                "remarks",
                                        Stream.of(missing, findings)
                                                .flatMap(each -> each.remarks().stream())
                                                .toList(),
                                "missing", missing.list(),
                                "places", new TreePositions(String.valueOf(file.getFileName()), top, trees)));
    }

    private static List<String> unjudged(Tree.Section written, Tree.Section run) {
        Set<Origin> left = run.items("expect").stream().map(Tree::origin).collect(Collectors.toSet());
        return written.items("expect").stream()
                .filter(item -> !left.contains(item.origin()))
                .map(Tree::line)
                .toList();
    }

    private static Tree.Section written(Path file, String text, Findings findings) {
        Origin.Source source = Origin.Source.of(String.valueOf(file.getFileName()), text);
        Optional<Tree> tree = YamlTree.parse(source, text, "", findings);
        if (tree.isEmpty()) {
            findings.throwAny();
            String message = "is empty; an experiment has at least load: {}";
            throw new Problems(List.of(new Problem(source.name(), 1, 1, "", message)));
        }
        if (tree.get() instanceof Tree.Section section) {
            return section;
        }
        String found = Problem.beginning(tree.get().line());
        String message = "'" + found + "' is not an experiment; write keys such as load: and measure:";
        throw new Problems(List.of(tree.get().origin().problem(message)));
    }

    private static Tree.Section named(Tree.Section top, Path file) {
        String stem = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        String plain =
                stem.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        String name = plain.isEmpty() ? "experiment" : plain.substring(0, Math.min(100, plain.length()));
        return top.has("name") ? top : top.with("name", new Tree.Text(name, true, Origin.unwritten("default")));
    }

    /**
     * The text of the file.
     *
     * @throws Problems if it is a folder, too large, binary or missing
     */
    private static String text(Path file) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw Problems.of(name, "is a folder; give the experiment file in it");
        }
        if (!Files.exists(file)) {
            throw Problems.of(name, "does not exist");
        }
        if (!Files.isReadable(file)) {
            throw Problems.of(name, "cannot be read: permission denied");
        }
        // A pipe or a device has no size, and might be endless.
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw Problems.of(name, "must be at most " + LARGEST + " bytes");
            }
            return text(name, bytes);
        } catch (IOException e) {
            throw Problems.of(name, "cannot be read: " + e.getMessage());
        }
    }

    private static String text(String name, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                throw problem(name, bytes, i, "is not text but binary data");
            }
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult read = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
        if (read.isError()) {
            throw problem(name, bytes, in.position(), "is not UTF-8 text from this byte on");
        }
        return out.flip().toString();
    }

    private static Problems problem(String file, byte[] bytes, int at, String message) {
        String before = new String(bytes, 0, at, StandardCharsets.UTF_8);
        Origin place = Origin.at(Origin.Source.of(file, ""), before, before.length(), "");
        return new Problems(List.of(place.problem(message)));
    }
}
