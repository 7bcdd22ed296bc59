package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.check.BreakingChecks;
import weir.plan.check.Checks;
import weir.plan.check.ExperimentBounds;
import weir.plan.check.FitChecks;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.SearchChecks;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.TreePositions;
import weir.plan.syntax.YamlTree;

/** Reads experiments. */
public final class PlanReader {
    /** The layer that {@code --short} lays over everything. */
    static final String SHORT = "short";

    private PlanReader() {}

    /**
     * Reads a file, and lays over it what the command line says.
     *
     * @throws Problems with everything that is wrong with the file and what is laid over it
     */
    public static Experiment read(Path file, Overrides overrides) {
        return read(file, ExperimentText.of(file), overrides);
    }

    /** The same for a text that is not, or not yet, in that file. */
    public static Experiment read(Path file, String text, Overrides overrides) {
        Findings findings = new Findings();
        Findings missing = new Findings();
        Path absolute = file.toAbsolutePath().normalize();
        FileReferences outside = new FileReferences(absolute.resolveSibling(""), missing);
        Tree.Section tree = ShapeCheck.check(outside.tie(written(file, text, findings)), findings);
        CommandLineOverlay command = new CommandLineOverlay(overrides, tree, findings, missing);
        List<Layer> above = command.layers();
        findings.settle();

        // Both are made whatever is asked for, so that a mistake in either is found at once.
        LayeredExperiment full = VariantTrees.lay(tree, above, false, findings);
        boolean alike = tree.section(SHORT).entries().isEmpty() && !overrides.shortened();
        LayeredExperiment brief =
                alike ? full : VariantTrees.lay(tree, shortened(tree, above), overrides.shortened(), findings);
        LayeredExperiment run = overrides.shortened() ? brief : full;
        List<LayeredExperiment.Laid> chosen = command.chosen(run, full);
        List<Variant> variants =
                chosen.stream().map(LayeredExperiment.Laid::variant).toList();
        List<String> outOfShort = new ArrayList<>();
        new References(full, brief, brief.names(), findings, outOfShort).resolve();
        List<String> leftOut = new ArrayList<>();
        List<String> running = variants.stream().map(Variant::name).toList();
        Tree.Section resolved = new References(full, run, running, findings, leftOut).resolve();
        Tree.Section top = overrides.shortened() && findings.sound("search") ? ShortForm.searching(resolved) : resolved;
        // The file itself decides what its short form has.
        leftOut.removeAll(overrides.shortened() ? outOfShort : List.of());
        command.checkCluster(chosen);
        chosen.forEach(laid -> FileReferences.java(laid, missing));
        Checks checks = new Checks(findings);
        for (LayeredExperiment either : alike ? List.of(full) : List.of(full, brief)) {
            either.laid().forEach(checks::variant);
            new ExperimentBounds(findings).check(either.laid());
            checks.together(either);
        }
        checks.metrics(top, chosen);
        new FitChecks(findings, full.top().section("fit")).check(full.laid(), true);
        new FitChecks(findings, brief.top().section("fit")).check(brief.laid(), false);
        new BreakingChecks(top.section("search"), chosen, findings).check();
        List<String> names = new ArrayList<>(full.names());
        names.addAll(brief.names());
        new SearchChecks(top, names, chosen, findings).check();
        findings.throwAny();
        Map<String, Tree.Section> trees =
                chosen.stream().collect(Collectors.toMap(laid -> laid.variant().name(), LayeredExperiment.Laid::tree));
        Tree.Section bound = overrides.shortened() ? ShortForm.of(named(top, file)) : named(top, file);
        return BindExperiment.experiment(
                absolute,
                overrides.shortened(),
                bound,
                variants,
                overrides.only().isEmpty() ? List.of() : leftOut,
                unjudged(full.top(), bound),
                Stream.of(missing, findings)
                        .flatMap(each -> each.remarks().stream())
                        .toList(),
                missing.list(),
                new TreePositions(String.valueOf(file.getFileName()), top, trees));
    }

    /** The expectations of the file of which nothing is left in what is run. */
    private static List<String> unjudged(Tree.Section written, Tree.Section run) {
        Set<Origin> left = expected(run).map(Tree::origin).collect(Collectors.toSet());
        return expected(written)
                .filter(item -> !left.contains(item.origin()))
                .map(Tree::line)
                .toList();
    }

    private static Stream<Tree> expected(Tree.Section top) {
        return top.entries().get("expect") instanceof Tree.Items items ? items.items().stream() : Stream.empty();
    }

    /** The content of the file, as it is written. */
    private static Tree.Section written(Path file, String text, Findings findings) {
        Origin.Source source = Origin.Source.of(String.valueOf(file.getFileName()), text);
        Optional<Tree> tree = YamlTree.parse(source, text, "", findings);
        if (tree.isEmpty()) {
            findings.throwAny();
            String message = "is empty; an experiment needs at least: load: {}";
            throw new Problems(List.of(new Problem(source.name(), 1, 1, "", message)));
        }
        if (tree.get() instanceof Tree.Section section) {
            return section;
        }
        String line = tree.get().line();
        String found = line.length() > 40 ? line.substring(0, 40) + "…" : line;
        String message = "an experiment is made of keys such as load: and measure:, not of '" + found + "'";
        throw new Problems(List.of(tree.get().origin().problem(message)));
    }

    private static List<Layer> shortened(Tree.Section tree, List<Layer> above) {
        List<Layer> layers = new ArrayList<>();
        layers.add(Layer.tree((Tree.Section) tree.section(SHORT).moved(origin -> origin.in(SHORT))));
        layers.addAll(above);
        return layers;
    }

    /** An experiment without a name has that of its file. */
    private static Tree.Section named(Tree.Section top, Path file) {
        String stem = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        String plain =
                stem.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        String name = plain.isEmpty() ? "experiment" : plain.substring(0, Math.min(100, plain.length()));
        return top.has("name") ? top : top.with("name", new Tree.Text(name, true, Origin.unwritten("default")));
    }
}
