package weir.plan.check;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import weir.plan.BacklogSpec;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.Expectation;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.Releases;
import weir.plan.TopicSpec;
import weir.plan.TransactionSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;

/** Checks what a variant's values mean together, as far as those are sound that it rests on. */
public record Checks(Findings findings) {
    private static final int MOST_BROKERS = 5;

    public void variant(LayeredExperiment.Laid laid) {
        Variant variant = laid.variant();
        ProblemSpot spot = new ProblemSpot(laid.tree(), findings);
        new RateChecks(spot, variant).check();
        load(spot, "load", variant.load(), variant);
        new DeliveryChecks(spot, variant).check();
        new PlacedChecks(spot, variant).check();
        variant.topics().forEach((name, topic) -> held(spot, name, topic));
        if (variant.cluster().ours()) {
            embedded(spot, variant.cluster(), variant);
        } else if (variant.during().values().stream().anyMatch(Checks::touchesBrokers)) {
            spot.wrong("during", "brokers can only be disturbed on a cluster that is started here");
        }
        variant.during().forEach((name, disturbance) -> disturbance(spot, "during." + name, disturbance, variant));
    }

    /** Variants that differ in their cluster cannot share one. */
    public void together(LayeredExperiment draft) {
        if (draft.laid().size() < draft.names().size()) {
            return;
        }
        PlacedChecks.together(draft.laid(), findings);
        List<LayeredExperiment.Laid> all = draft.laid().stream()
                .filter(laid -> laid.variant().load().target() == LoadSpec.Target.CLUSTER)
                .toList();
        for (LayeredExperiment.Laid laid : all) {
            ClusterSpec asked = laid.variant().cluster();
            boolean shared = asked.ours() && !asked.freshEachTrial();
            boolean alike = asked.placed().equals(all.get(0).variant().cluster().placed())
                    && own(laid).equals(own(all.get(0)));
            if (shared && !alike) {
                String message = "variants '" + all.get(0).variant().name() + "' and '"
                        + laid.variant().name()
                        + "' differ in their cluster, so each trial needs its own; write fresh: trial";
                new ProblemSpot(laid.tree(), findings).wrong("cluster.fresh", message);
                return;
            }
        }
    }

    /** The cluster as a variant writes it, except how it is reached and where it runs. */
    private static String own(LayeredExperiment.Laid laid) {
        return laid.tree().section("cluster").without("client", "placed").line();
    }

    /** An expectation speaks of what its variants measure. */
    public void metrics(Tree.Section top, List<LayeredExperiment.Laid> chosen) {
        if (top.entries().get("expect") instanceof Tree.Items items) {
            for (Tree item : items.items()) {
                Expectation expectation = ExpectationParser.parse(item.line());
                for (LayeredExperiment.Laid laid : chosen) {
                    String name = laid.variant().name();
                    boolean meant = expectation.of().isEmpty()
                            || expectation.of().equals(name)
                            || expectation.over().equals(name);
                    String lacks = meant ? expectation.metric().lacking(laid.variant()) : "";
                    if (!lacks.isEmpty() && new ProblemSpot(laid.tree(), findings).sound("expect")) {
                        String say = expectation.of().isEmpty() ? "; say of which variant it speaks" : "";
                        findings.add(
                                item.origin(),
                                "expect",
                                "variant '" + name + "' has no "
                                        + expectation.metric().name() + ": " + lacks + say);
                    }
                }
            }
        }
    }

    private static void load(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
        List<String> topics = variant.topics().keySet().stream()
                .filter(topic -> !topic.equals(variant.deadLetterTopic()))
                .toList();
        Set<String> used = new HashSet<>(load.topics());
        for (String topic : used) {
            if (!variant.topics().containsKey(topic)) {
                spot.wrong(path + ".topics", "there is no topic '" + topic + "'" + NearestWord.hint(topic, topics));
            }
        }
        // The only topic may be that of dead letters, of which more is told there.
        if (load.topics().isEmpty() && variant.deadLetterTopic().isEmpty()) {
            spot.wrong(path + ".topics", "names no topic");
        }
        boolean writes = load.workload() != LoadSpec.Workload.CONSUME;
        boolean reads = load.workload() != LoadSpec.Workload.PRODUCE && load.workload() != LoadSpec.Workload.WRITE;
        if (writes && load.producers().count() == 0) {
            spot.wrong(path + ".producers", "a load that writes needs at least one producer");
        }
        if (reads && load.consumers().count() == 0) {
            spot.wrong(path + ".consumers", "a load that reads needs at least one consumer");
        }
        if (load.workload() == LoadSpec.Workload.STREAM) {
            stream(spot, path, load, List.copyOf(variant.topics().keySet()));
        } else if (!load.stream().from().isEmpty() || !load.stream().to().isEmpty()) {
            spot.wrong(
                    path + (load.stream().from().isEmpty() ? ".to" : ".from"),
                    "only the workload stream goes from one topic to another");
        }
        boolean existing = variant.topics().entrySet().stream()
                .anyMatch(topic -> topic.getValue().existing() && used.contains(topic.getKey()));
        boolean backlog = !(load.backlog() instanceof BacklogSpec.None);
        if (load.workload() == LoadSpec.Workload.CONSUME && !backlog && !existing) {
            spot.wrong(
                    path + ".workload",
                    "consume has nothing to read; write backlog: 1M records, or use an existing topic");
        }
        new BacklogChecks(spot, path, load, variant).check();
        if (load.messages().key() instanceof KeySpec.Column
                && !(load.messages().value() instanceof ValueSpec.FromFile)) {
            boolean planes = load.messages().value() instanceof ValueSpec.Generated g
                    && g.content() instanceof ValueSpec.Content.Planes;
            if (!planes) {
                spot.wrong(path + ".key.column", "only values of a file and planes have columns");
            }
        }
        boolean sized = variant.settings().tailMap(path + ".value.size").values().stream()
                .takeWhile(setting -> setting.path().startsWith(path + ".value.size"))
                .anyMatch(setting -> !setting.origin().equals("default"));
        if (sized
                && load.messages().value() instanceof ValueSpec.Generated g
                && g.content().ownSize()) {
            spot.wrong(path + ".value.size", "values of this content are as long as what they say; leave the size out");
        }
        if (load.transaction() instanceof TransactionSpec.Records r && r.records() == 0) {
            spot.wrong(path + ".transaction.records", "is nothing at all");
        }
        new EngineChecks(spot, path, load, variant).check();
        new BridgeChecks(spot, path, load, variant).check();
        new TargetChecks(spot, path, load, variant).check();
    }

    private static void stream(ProblemSpot spot, String path, LoadSpec load, List<String> topics) {
        for (String end : List.of("from", "to")) {
            String topic =
                    end.equals("from") ? load.stream().from() : load.stream().to();
            if (topic.isEmpty()) {
                spot.wrong(path + ".workload", "stream needs '" + end + "', the name of a topic");
            } else if (!topics.contains(topic)) {
                spot.wrong(path + "." + end, "there is no topic '" + topic + "'" + NearestWord.hint(topic, topics));
            }
        }
    }

    private static void embedded(ProblemSpot spot, ClusterSpec cluster, Variant variant) {
        int brokers = cluster.brokers().size();
        if (brokers < 1 || brokers > MOST_BROKERS) {
            spot.wrong("cluster.brokers", "a cluster that is started here has 1 to " + MOST_BROKERS + " brokers");
        }
        if (Releases.compare(cluster.kafka(), Releases.OLDEST) < 0 || Releases.compare(cluster.kafka(), "5.0.0") >= 0) {
            spot.wrong(
                    "cluster.kafka", "'" + cluster.kafka() + "' is not a release from " + Releases.OLDEST + " to 4.x");
        }
        if (keepsInZooKeeper(cluster)) {
            if (cluster.dedicatedControllers() > 0) {
                spot.wrong(
                        "cluster.controllers",
                        "Kafka " + cluster.kafka()
                                + " has no controllers of its own: its metadata is in a ZooKeeper; leave it out");
            }
            if (!cluster.features().isEmpty()) {
                spot.wrong(
                        "cluster.features", "Kafka " + cluster.kafka() + " has none; they came with " + Releases.KRAFT);
            }
        }
        ClusterSpec.split(cluster.data()).ifPresent(why -> spot.wrong("cluster.data", why));
        for (int i = 0; i < brokers; i++) {
            String path = "cluster.brokers[" + i + "].data";
            ClusterSpec.split(cluster.brokers().get(i).data()).ifPresent(why -> spot.wrong(path, why));
        }
        if (cluster.heap().bytes() < 64L << 20) {
            spot.wrong("cluster.heap", "a broker does not start with less than 64MiB");
        }
        long memory = cluster.within().memory().bytes();
        if (memory > 0 && memory <= cluster.heap().bytes()) {
            spot.wrong(
                    "cluster.within.memory",
                    "leaves no room beside a heap of " + (cluster.heap().bytes() >> 20)
                            + " MiB: a broker would be killed; allow more, or set a smaller cluster.heap");
        }
        variant.topics().forEach((name, topic) -> {
            if (topic.existing()) {
                spot.wrong("topics." + name + ".existing", "a cluster that is started here has no topics yet");
            }
            if (topic.replication() > brokers) {
                spot.wrong(
                        "topics." + name + ".replication",
                        "asks for " + topic.replication() + " replicas on " + brokers
                                + (brokers == 1 ? " broker" : " brokers"));
            }
            topic.brokers().stream()
                    .filter(broker -> broker < 1 || broker > brokers)
                    .findFirst()
                    .ifPresent(broker -> spot.wrong(
                            "topics." + name + ".brokers",
                            "there is no broker " + broker + "; "
                                    + (brokers == 1 ? "the only one is 1" : "they are 1 to " + brokers)));
        });
    }

    /** The brokers that a topic is to be held by, as far as they are known before there is a cluster. */
    private static void held(ProblemSpot spot, String name, TopicSpec topic) {
        int brokers = topic.brokers().size();
        String path = "topics." + name + ".brokers";
        if (brokers == 0) {
            return;
        }
        if (topic.existing()) {
            spot.wrong(path, "a topic that is there already stays where it is; leave one of the two out");
        } else if (Set.copyOf(topic.brokers()).size() < brokers) {
            spot.wrong(path, "names a broker twice");
        } else if (topic.replication() > brokers) {
            spot.wrong(
                    path,
                    "has " + brokers + (brokers == 1 ? " broker" : " brokers") + " for " + topic.replication()
                            + " replicas of each partition; name more, or write replication: " + brokers);
        }
    }

    private static void disturbance(ProblemSpot spot, String path, DisturbanceSpec disturbance, Variant variant) {
        if (touchesBrokers(disturbance) && variant.load().target() == LoadSpec.Target.NULL) {
            spot.wrong(path, "target null has no brokers to disturb; leave it out, or leave out the target");
        }
        Duration length = Demand.length(variant);
        if (!length.isZero() && disturbance.at().compareTo(length) >= 0) {
            spot.wrong(path + ".at", "begins after the measured phase of " + length.toSeconds() + "s");
        }
        if (disturbance instanceof DisturbanceSpec.Load l) {
            load(spot, path + ".load", l.load(), variant);
        }
        ClusterSpec cluster = variant.cluster();
        if (!cluster.ours() && faults(disturbance)) {
            spot.wrong(
                    path,
                    "the brokers of a given cluster are not ours to disturb; leave it out, or have them started here:"
                            + " cluster: { brokers: 3, controllers: 1 }");
        }
        if (disturbance instanceof DisturbanceSpec.Network network) {
            network(spot, path + ".network", network, cluster);
        }
        if (disturbance instanceof DisturbanceSpec.Disk disk
                && !disk.full()
                && disk.ioPerSecond().bytes() == 0) {
            spot.wrong(path + ".disk", "changes nothing; write io, as in io: 5MiB/s, or full: true");
        }
        if (disturbance instanceof DisturbanceSpec.Stress stress) {
            stress(spot, path, stress, cluster);
        }
        int gateways = variant.bridge() instanceof BridgeSpec.Gateway bridge ? bridge.instances() : 0;
        if (disturbance.gateway() > gateways) {
            spot.wrong(
                    path,
                    "there is no gateway " + disturbance.gateway()
                            + (gateways == 0
                                    ? "; gateways that are started here stand in bridge: { gateway: {} }"
                                    : "; they are numbered from 1 to " + gateways));
        }
        if (disturbance instanceof DisturbanceSpec.Outage outage) {
            process(spot, path, outage.server().role(), variant.bridge());
        }
        if (cluster.ours()) {
            int broker = disturbance.broker();
            if (broker > cluster.brokers().size()) {
                spot.wrong(
                        path,
                        "there is no broker " + broker + "; they are numbered from 1 to "
                                + cluster.brokers().size());
            }
            if (faults(disturbance) && cluster.dedicatedControllers() == 0 && !keepsInZooKeeper(cluster)) {
                spot.wrong(
                        path,
                        "a broker that is also a controller takes the controller down with it; write cluster: { controllers: 1 }");
            }
        }
    }

    private static void process(ProblemSpot spot, String path, DisturbanceSpec.Server.Role role, BridgeSpec bridge) {
        if (role == DisturbanceSpec.Server.Role.BROKER || role == DisturbanceSpec.Server.Role.GATEWAY) {
            return;
        }
        if (!(bridge instanceof BridgeSpec.Delivery delivery)) {
            spot.wrong(
                    path,
                    "there is no " + EnumNames.of(role) + "; those stand on the way of events: bridge: { path: … }");
        } else if (!delivery.path().processes().contains(role)) {
            String there =
                    delivery.path().processes().stream().map(EnumNames::of).collect(Collectors.joining(", "));
            spot.wrong(
                    path,
                    "there is no " + EnumNames.of(role) + "; the path " + EnumNames.of(delivery.path()) + " has "
                            + (there.isEmpty() ? "no process at all" : there));
        }
    }

    private static void stress(ProblemSpot spot, String path, DisturbanceSpec.Stress stress, ClusterSpec cluster) {
        if (!cluster.ours()) {
            spot.wrong(
                    path,
                    "the machines of a given cluster are not ours to stress; leave it out, or have the brokers started"
                            + " here: cluster: { brokers: 3 }");
        }
        if (stress.memory() instanceof DisturbanceSpec.Amount.OfFree free
                && free.share().share() > 1) {
            spot.wrong(path + ".stress.memory", "is more than all that is free");
        }
    }

    private static void network(ProblemSpot spot, String path, DisturbanceSpec.Network network, ClusterSpec cluster) {
        boolean nothing = network.delay().isZero()
                && network.jitter().isZero()
                && network.bytesPerSecond().bytes() == 0
                && !network.cut();
        if (nothing) {
            spot.wrong(path, "changes nothing; write a delay, a jitter, a rate or cut: true");
        }
        if (cluster.ours() && network.between() != DisturbanceSpec.Network.Between.CLIENTS) {
            if (keepsInZooKeeper(cluster)) {
                spot.wrong(
                        path + ".between",
                        "Kafka " + cluster.kafka() + " keeps its metadata in a ZooKeeper, to which connections are not"
                                + " relayed; write between: clients");
            } else if (cluster.dedicatedControllers() == 0) {
                spot.wrong(
                        path + ".between",
                        "the network of a broker that is also a controller is the controller's, too; write cluster:"
                                + " { controllers: 1 }, or between: clients");
            }
        }
    }

    private static boolean keepsInZooKeeper(ClusterSpec cluster) {
        return Releases.compare(cluster.kafka(), Releases.KRAFT) < 0;
    }

    private static boolean touchesBrokers(DisturbanceSpec disturbance) {
        return disturbance.broker() > 0;
    }

    private static boolean faults(DisturbanceSpec disturbance) {
        return disturbance instanceof DisturbanceSpec.Disk
                || (disturbance instanceof DisturbanceSpec.Outage outage && outage.broker() > 0);
    }
}
