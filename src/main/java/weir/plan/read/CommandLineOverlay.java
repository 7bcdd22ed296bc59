package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import weir.plan.NearestWord;
import weir.plan.check.LayeredExperiment;
import weir.plan.property.Bootstrap;
import weir.plan.property.Redact;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;

/** The command-line options as trees that override the experiment file. */
final class CommandLineOverlay {
    private static final String SET = "--set";
    private static final String CLIENT = "-X";
    private static final String BOOTSTRAP = "--bootstrap-server";
    private static final String CONFIG = "--command-config";
    private static final String ONLY = "--only";

    private final Overrides overrides;
    private final Tree.Section file;
    private final Findings findings;
    private final FileReferences outside;
    private final String bootstrap;

    private final String option;

    CommandLineOverlay(Overrides overrides, Tree.Section file, Findings findings, Findings missing) {
        this.overrides = overrides;
        this.file = file;
        this.findings = findings;
        this.outside = new FileReferences(Path.of(""), missing);
        boolean named = overrides.bootstrap().isEmpty();
        this.bootstrap =
                named && !Bootstrap.given(file) ? Bootstrap.of(overrides.commandConfig()) : overrides.bootstrap();
        this.option = named ? CONFIG : BOOTSTRAP;
    }

    List<Layer> layers() {
        List<Layer> layers = new ArrayList<>();
        if (!bootstrap.isEmpty()) {
            layers.add(Layer.tree(elsewhere()));
            layers.addAll(checked(
                    List.of("cluster", "bootstrap"), new Tree.Text(bootstrap, true, origin(option, bootstrap, 0))));
        }
        if (!overrides.commandConfig().isEmpty()) {
            Tree path = new Tree.Text(overrides.commandConfig(), true, origin(CONFIG, overrides.commandConfig(), 0));
            layers.add(new Layer(List.of("cluster", "client"), nothing(CONFIG)));
            layers.addAll(checked(List.of("cluster", "client"), path));
        }
        overrides.set().forEach(set -> layers.addAll(set(set)));
        overrides.client().forEach(property -> layers.addAll(client(property)));
        return layers;
    }

    private List<Layer> checked(List<String> path, Tree value) {
        Tree tree = ShapeCheck.check(outside.tie(Layer.single(path, value)), file, findings);
        for (String name : path) {
            if (!(tree instanceof Tree.Section section) || !section.has(name)) {
                return List.of();
            }
            tree = section.entries().getOrDefault(name, section);
        }
        return List.of(new Layer(path, tree));
    }

    private Tree.Section elsewhere() {
        Tree.Section cluster = Tree.Section.empty(Origin.unwritten(option));
        for (String name : Keys.below(Keys.at("cluster")).keySet()) {
            if (!name.equals("client") && !name.equals("classpath")) {
                cluster = cluster.with(name, nothing(option));
            }
        }
        return Layer.single(List.of("cluster"), cluster);
    }

    private List<Layer> set(String set) {
        int equals = set.indexOf('=');
        Origin start = origin(SET, set, 0);
        if (equals < 1) {
            findings.add(start, "", "'" + set + "' is not path=value, such as load.rate=50k/s");
            return List.of();
        }
        String dotted = set.substring(0, equals).strip();
        List<String> path = Paths.split(dotted, file);
        if (path.isEmpty()) {
            findings.add(start, dotted, "is not a key" + NearestWord.hint(dotted, Paths.known()));
            return List.of();
        }
        String unknown = Paths.unknownName(path, file);
        if (!unknown.isEmpty()) {
            findings.add(start, dotted, unknown);
            return List.of();
        }
        String padded = " ".repeat(equals + 1) + set.substring(equals + 1);
        Optional<Tree> value = YamlTree.parse(start.source(), padded, SET, findings);
        if (value.isEmpty()) {
            findings.add(start, dotted, "has no value; write null to remove the value that the file sets");
            return List.of();
        }
        return checked(path, value.get());
    }

    /** Sets a property for every client, and removes the producer's and consumer's own values. */
    private List<Layer> client(String property) {
        int equals = property.indexOf('=');
        if (equals < 1) {
            findings.add(origin(CLIENT, property, 0), "", "'" + property + "' is not name=value, such as linger.ms=10");
            return List.of();
        }
        String name = property.substring(0, equals).strip();
        String said = property.substring(equals + 1);
        String shown = Redact.hides(name, said) ? name + "=" + Redact.HIDDEN : property;
        Tree value = new Tree.Text(said, true, origin(CLIENT, shown, 0));
        List<Layer> layers = new ArrayList<>();
        layers.addAll(checked(List.of("cluster", "client", name), value));
        layers.add(new Layer(List.of("load", "producer", name), nothing(CLIENT)));
        layers.add(new Layer(List.of("load", "consumer", name), nothing(CLIENT)));
        return layers;
    }

    List<LayeredExperiment.LayeredVariant> chosen(LayeredExperiment run, LayeredExperiment full) {
        if (overrides.only().isEmpty()) {
            return run.laid();
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : overrides.only()) {
            List<String> points = LayeredExperiment.points(name, run.names());
            chosen.addAll(points);
            if (points.isEmpty()) {
                boolean shortened =
                        !LayeredExperiment.points(name, full.names()).isEmpty();
                String why = shortened
                        ? " does not run with --short"
                        : " is not a variant" + NearestWord.hint(name, named(run.names()));
                findings.add(origin(ONLY, name, 0), "", "'" + name + "'" + why);
            }
        }
        return run.laid().stream()
                .filter(laid -> chosen.contains(laid.variant().name()))
                .toList();
    }

    private static Set<String> named(List<String> variants) {
        Set<String> names = new LinkedHashSet<>(variants);
        variants.stream()
                .filter(name -> name.indexOf('/') > 0)
                .forEach(name -> names.add(name.substring(0, name.indexOf('/'))));
        return names;
    }

    void checkCluster(List<LayeredExperiment.LayeredVariant> chosen) {
        if (bootstrap.isEmpty()) {
            return;
        }
        for (LayeredExperiment.LayeredVariant laid : chosen) {
            String base = laid.variant().name().split("/", 2)[0];
            Tree.Section variant = file.section("variants").section(base);
            Map<String, Tree> lost = new TreeMap<>();
            Paths.leaves("cluster", variant.section("cluster").without("client", "classpath"), lost);
            lost.values().removeIf(value -> value instanceof Tree.Text text && text.isNull());
            lost.forEach((path, value) -> findings.add(
                    value.origin(),
                    "variants." + base + "." + path,
                    "has no effect on a cluster that is given with " + option + "; skip this variant with --only"));
        }
    }

    private static Tree nothing(String option) {
        return new Tree.Text("null", false, Origin.unwritten(option));
    }

    private static Origin origin(String option, String text, int column) {
        return new Origin(Origin.Source.of(option, text), 1, column + 1, option);
    }
}
