package weir.plan.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.PlacedSpec;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.property.Redact;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.Paths;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.plan.syntax.ValueSyntax;

/** Makes a variant of a complete tree. */
final class BindVariant {
    private static final String HTTP = EnumNames.of(LoadSpec.Engine.HTTP);

    /** Connections of a sender of events: at 10,000/s an answer may take 6 ms. */
    private static final String EVENT_CONNECTIONS = "64";

    private BindVariant() {}

    /** {@code ofBrokers}: what a preset asks of brokers that are not ours to set up. */
    static Variant variant(
            String name, SortedMap<String, String> gridPoint, Tree.Section written, Tree.Section ofBrokers) {
        Tree.Section tree = connected(sentByClient(written));
        CheckedSection part = new CheckedSection(tree);
        SortedMap<String, TopicSpec> topics = part.named("topics", BindCluster::topic);
        PlacedSpec.Kubernetes pods = BindCluster.pods(part.part("kubernetes"));
        PlacedSpec placed = BindCluster.placed(part, PlacedSpec.HERE, pods);
        ClusterSpec cluster = BindCluster.cluster(part.part("cluster"), placed, pods);
        BridgeSpec bridge = BindCluster.bridge(part.part("bridge"), placed, pods);
        String deadLetters = bridge instanceof BridgeSpec.Delivery delivery
                ? delivery.dispatch().delivery().deadLetterTopic()
                : "";
        List<String> names = topics.keySet().stream()
                .filter(topic -> !topic.equals(deadLetters))
                .toList();
        return new Variant(
                name,
                Units.integer(part.text("seed")),
                part.count("repeat"),
                cluster,
                topics,
                bridge,
                BindLoad.load(part.part("load"), names, placed, pods),
                part.texts("before").stream()
                        .map(word -> EnumNames.constant(word, Variant.Before.class))
                        .toList(),
                warmup(part),
                measure(part),
                part.duration("drain"),
                part.word("verify", Verify.class),
                part.named("during", disturbance -> disturbance(disturbance, names, placed, cluster.placed(), pods)),
                gridPoint,
                settings(tree, ofBrokers));
    }

    /** The same where a source takes events out of Kafka: HTTP is what it is received by, and the client writes them. */
    private static Tree.Section sentByClient(Tree.Section tree) {
        Tree engine = tree.section("load").entries().get("engine");
        String source = EnumNames.of(BridgeSpec.DeliveryPath.KAFKA_SOURCE);
        boolean whole = engine instanceof Tree.Text text && text.text().equals(HTTP);
        boolean http = whole
                || (engine instanceof Tree.Section each && each.text("send").equals(HTTP));
        if (engine == null || !http || !tree.section("bridge").text("path").equals(source)) {
            return tree;
        }
        Origin origin = engine.origin().in("path " + source);
        Tree.Section sides = engine instanceof Tree.Section each ? each : Tree.Section.empty(origin);
        sides = sides.with("send", new Tree.Text(EnumNames.of(LoadSpec.Engine.CLIENT), true, origin));
        sides = whole ? sides.with("receive", new Tree.Text(HTTP, true, origin)) : sides;
        return tree.with("load", tree.section("load").with("engine", sides));
    }

    /** The same with as many connections for events as an open loop needs, where the file does not say how many. */
    private static Tree.Section connected(Tree.Section tree) {
        Tree.Section load = tree.section("load");
        Tree engine = load.entries().get("engine");
        boolean http = engine instanceof Tree.Section each
                ? each.text("send").equals(HTTP)
                : load.text("engine").equals(HTTP);
        String path = tree.section("bridge").text("path");
        Tree connections = load.entries().get("connections");
        boolean unsaid = connections != null && connections.origin().text().equals("default");
        if (!http || !unsaid || (path.isEmpty() && load.text("listen").isEmpty())) {
            return tree;
        }
        Origin origin = Origin.unwritten(path.isEmpty() ? "load.listen" : "path " + path);
        return tree.with("load", load.with("connections", new Tree.Text(EVENT_CONNECTIONS, true, origin)));
    }

    private static WarmupSpec warmup(CheckedSection part) {
        CheckedSection warmup = part.part("warmup");
        if (warmup.has("operations")) {
            return new WarmupSpec.Operations(warmup.records("operations"));
        }
        if (warmup.has("until")) {
            return new WarmupSpec.UntilSteady(warmup.duration("max"));
        }
        if (warmup.has("for")) {
            Duration length = warmup.duration("for");
            return warmup.has("rate")
                    ? new WarmupSpec.ForAt(length, PaceSyntax.pace(warmup.text("rate")))
                    : new WarmupSpec.For(length);
        }
        String text = part.text("warmup");
        Duration length = text.equals("none") ? Duration.ZERO : Units.duration(text);
        return length.isZero() ? new WarmupSpec.None() : new WarmupSpec.For(length);
    }

    private static MeasureSpec measure(CheckedSection part) {
        if (part.isSection("measure")) {
            CheckedSection measure = part.part("measure");
            return new MeasureSpec.Operations(measure.records("operations"), measure.duration("idle"));
        }
        return part.has("measure") ? new MeasureSpec.For(part.duration("measure")) : new MeasureSpec.AsLongAsRates();
    }

    private static DisturbanceSpec disturbance(
            CheckedSection part,
            List<String> topics,
            PlacedSpec placed,
            PlacedSpec brokers,
            PlacedSpec.Kubernetes pods) {
        Duration at = part.duration("at");
        Duration length = part.duration("for");
        if (part.has("stress")) {
            CheckedSection stress = part.part("stress");
            return new DisturbanceSpec.Stress(
                    at,
                    length,
                    ValueSyntax.amount(stress.text("memory")),
                    stress.size("reserve"),
                    stress.count("threads"),
                    stress.size("disk"),
                    BindCluster.limits(part.part("within")),
                    BindCluster.placed(part, besideBrokers(brokers), pods));
        }
        for (DisturbanceSpec.Outage.Kind kind : DisturbanceSpec.Outage.Kind.values()) {
            String word = EnumNames.of(kind);
            if (part.has(word)) {
                return new DisturbanceSpec.Outage(at, length, kind, ScalarType.server(part.text(word)));
            }
        }
        if (part.has("network")) {
            CheckedSection network = part.part("network");
            return new DisturbanceSpec.Network(
                    at,
                    length,
                    network.count("broker"),
                    network.word("between", DisturbanceSpec.Network.Between.class),
                    network.word("way", DisturbanceSpec.Network.Way.class),
                    network.duration("delay"),
                    network.duration("jitter"),
                    network.byteRate("rate"),
                    network.flag("cut"));
        }
        if (part.has("disk")) {
            CheckedSection disk = part.part("disk");
            return new DisturbanceSpec.Disk(at, length, disk.count("broker"), disk.byteRate("io"), disk.flag("full"));
        }
        if (part.has("load")) {
            return new DisturbanceSpec.Load(at, length, BindLoad.load(part.part("load"), topics, placed, pods));
        }
        return new DisturbanceSpec.Run(at, length, command(part), BindCluster.placed(part, placed, pods));
    }

    /** The place of a stress that has none of its own: the hosts of the brokers, which are the nodes of their pods. */
    private static PlacedSpec besideBrokers(PlacedSpec brokers) {
        return brokers instanceof PlacedSpec.Kubernetes pods ? pods.with(PlacedSpec.Spread.BESIDE_BROKERS) : brokers;
    }

    private static List<String> command(CheckedSection part) {
        return part.text("run").isEmpty() ? part.texts("run") : List.of("sh", "-c", part.text("run"));
    }

    private static SortedMap<String, Setting> settings(Tree.Section tree, Tree.Section ofBrokers) {
        Map<String, Tree> leaves = new LinkedHashMap<>();
        Paths.leaves("", tree, leaves);
        Paths.leaves(Setting.OF_OPERATOR, ofBrokers, leaves);
        SortedMap<String, Setting> settings = new TreeMap<>();
        leaves.forEach((path, value) -> settings.put(
                path,
                new Setting(
                        path, Redact.atPath(path, value.line()), value.origin().text())));
        return settings;
    }

    /** The keys of a variant's tree. */
    static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("seed"));
        keys.addAll(Keys.below(Keys.at("variants.*")).keySet());
        keys.removeAll(List.of("like", "preset", "grid"));
        return keys;
    }
}
