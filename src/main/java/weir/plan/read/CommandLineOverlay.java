package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import weir.plan.Experiment;
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
    private final List<Layer> layers = new ArrayList<>();

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
        if (!bootstrap.isEmpty()) {
            Keys.below(Keys.at("cluster")).keySet().stream()
                    .filter(name -> !name.equals("client") && !name.equals("classpath"))
                    .forEach(name -> remove(option, "cluster", name));
            add(List.of("cluster", "bootstrap"), new Tree.Text(bootstrap, true, origin(option, bootstrap)));
        }
        String config = overrides.commandConfig();
        if (!config.isEmpty()) {
            remove(CONFIG, "cluster", "client");
            add(List.of("cluster", "client"), new Tree.Text(config, true, origin(CONFIG, config)));
        }
        overrides.set().forEach(this::set);
        overrides.client().forEach(this::client);
        return layers;
    }

    private void add(List<String> path, Tree value) {
        Tree.Section tied = outside.tie(Layer.single(path, value));
        layers.add(new Layer(ShapeCheck.check(tied, file, findings), path.size()));
    }

    private void remove(String by, String... path) {
        layers.add(new Layer(List.of(path), new Tree.Text("null", false, Origin.unwritten(by))));
    }

    private void set(String set) {
        int equals = set.indexOf('=');
        Origin start = origin(SET, set);
        if (equals < 1) {
            findings.add(start, "", "'" + set + "' is not path=value, such as load.rate=50k/s");
            return;
        }
        String dotted = set.substring(0, equals).strip();
        List<String> path = Paths.split(dotted, file);
        if (path.isEmpty()) {
            findings.add(start, dotted, "is not a key" + NearestWord.hint(dotted, Paths.known()));
            return;
        }
        String unknown = Paths.unknownName(path, file);
        if (!unknown.isEmpty()) {
            findings.add(start, dotted, unknown);
            return;
        }
        String padded = " ".repeat(equals + 1) + set.substring(equals + 1);
        Optional<Tree> value = YamlTree.parse(start.source(), padded, SET, findings);
        if (value.isEmpty()) {
            findings.add(start, dotted, "has no value; write null to remove the value that the file sets");
            return;
        }
        add(path, value.get());
    }

    /** Sets a property for every client, and removes the producer's and consumer's own values. */
    private void client(String property) {
        int equals = property.indexOf('=');
        if (equals < 1) {
            findings.add(origin(CLIENT, property), "", "'" + property + "' is not name=value, such as linger.ms=10");
            return;
        }
        String name = property.substring(0, equals).strip();
        String value = property.substring(equals + 1);
        String shown = Redact.hides(name, value) ? name + "=" + Redact.HIDDEN : property;
        add(List.of("cluster", "client", name), new Tree.Text(value, true, origin(CLIENT, shown)));
        remove(CLIENT, "load", "producer", name);
        remove(CLIENT, "load", "consumer", name);
    }

    List<LayeredExperiment.LayeredVariant> chosen(LayeredExperiment run, LayeredExperiment full) {
        if (overrides.only().isEmpty()) {
            return run.laid();
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : overrides.only()) {
            List<String> points = Experiment.points(name, run.names());
            chosen.addAll(points);
            if (points.isEmpty()) {
                boolean shortened = !Experiment.points(name, full.names()).isEmpty();
                String why = shortened
                        ? " does not run with --short"
                        : " is not a variant" + NearestWord.hint(name, named(run.names()));
                findings.add(origin(ONLY, name), "", "'" + name + "'" + why);
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
            lost.values().removeIf(Tree::isNull);
            lost.forEach((path, value) -> findings.add(
                    value.origin(),
                    "variants." + base + "." + path,
                    "has no effect on a cluster that is given with " + option + "; skip this variant with --only"));
        }
    }

    private static Origin origin(String option, String text) {
        return new Origin(Origin.Source.of(option, text), 1, 1, option);
    }
}
