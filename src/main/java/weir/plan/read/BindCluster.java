package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.DispatchSpec;
import weir.plan.EnumNames;
import weir.plan.EventFilter;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.TopicSpec;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.Units;

/** Makes records of the sections {@code cluster} and {@code topics}. */
final class BindCluster {
    private BindCluster() {}

    static ClusterSpec cluster(CheckedSection part, PlacedSpec otherwise, PlacedSpec.Kubernetes pods) {
        SortedMap<String, String> client = part.properties("client");
        if (part.has("bootstrap")) {
            List<Path> classpath =
                    part.texts("classpath").stream().map(Path::of).toList();
            return new ClusterSpec.External(part.text("bootstrap"), client, classpath, part.texts("metrics"));
        }
        String controllers = part.text("controllers");
        SortedMap<String, Integer> features = new TreeMap<>();
        part.properties("features").forEach((name, level) -> features.put(name, Units.smallCount(level)));
        return new ClusterSpec.Embedded(
                part.text("kafka"),
                brokers(part),
                controllers.equals("combined") ? 0 : Units.smallCount(controllers),
                features,
                part.word("security", ClusterSpec.Security.class),
                part.size("heap"),
                part.texts("jvm"),
                part.path("java"),
                part.path("data"),
                placed(part, otherwise, pods),
                limits(part.part("within")),
                part.properties("broker"),
                part.word("fresh", ClusterSpec.Fresh.class),
                client,
                ClusterSpec.LOOPBACK);
    }

    private static List<ClusterSpec.Broker> brokers(CheckedSection part) {
        List<ClusterSpec.Broker> brokers = new ArrayList<>();
        for (CheckedSection broker : part.parts("brokers")) {
            brokers.add(new ClusterSpec.Broker(broker.text("rack"), broker.properties("broker"), broker.path("data")));
        }
        if (brokers.isEmpty()) {
            // A number far above what is taken is refused later; it need not become a list first.
            int count = Math.min(part.count("brokers"), 100);
            for (int i = 0; i < count; i++) {
                brokers.add(new ClusterSpec.Broker("", new TreeMap<>(), Path.of("")));
            }
        }
        return brokers;
    }

    static Limits limits(CheckedSection part) {
        List<Integer> cpus = part.texts("cpus").stream().map(Units::smallCount).toList();
        return new Limits(part.decimal("cpu"), part.size("memory"), part.byteRate("io"), cpus);
    }

    /**
     * Where a section runs: as its key {@code placed} says, or as it does otherwise.
     *
     * @param otherwise where it runs unless it says so itself
     * @param pods those of the variant, for where they are asked for
     */
    static PlacedSpec placed(CheckedSection part, PlacedSpec otherwise, PlacedSpec.Kubernetes pods) {
        PlacedSpec placed = otherwise;
        if (part.isSection("placed")) {
            CheckedSection hosts = part.part("placed");
            placed = new PlacedSpec.Hosts(
                    hosts.texts("hosts"),
                    hosts.text("address"),
                    hosts.word("start", PlacedSpec.Start.class),
                    hosts.texts("ssh"));
        } else if (part.has("placed")) {
            placed = part.text("placed").equals("kubernetes") ? pods : PlacedSpec.HERE;
        }
        return placed instanceof PlacedSpec.Kubernetes own ? own.with(spread(part, own.spread())) : placed;
    }

    private static PlacedSpec.Spread spread(CheckedSection part, PlacedSpec.Spread otherwise) {
        if (part.has("apart")) {
            return PlacedSpec.Spread.APART;
        }
        return part.has("beside") ? PlacedSpec.Spread.BESIDE_BROKERS : otherwise;
    }

    /** The pods that something is placed in which says no more than that. */
    static PlacedSpec.Kubernetes pods(CheckedSection part) {
        return new PlacedSpec.Kubernetes(
                part.text("namespace"),
                part.text("image"),
                part.properties("nodes"),
                part.text("storage"),
                PlacedSpec.Spread.EVEN);
    }

    static TopicSpec topic(CheckedSection part) {
        return new TopicSpec(
                part.count("partitions"),
                part.count("replication"),
                part.texts("brokers").stream().map(Units::smallCount).toList(),
                part.count("count"),
                part.flag("existing"),
                part.properties("config"));
    }

    private static DispatchSpec dispatch(CheckedSection part) {
        CheckedSection delivery = part.part("delivery");
        String sink = delivery.text("deadLetterSink");
        return new DispatchSpec(
                part.count("subscribers"),
                part.word("order", DispatchSpec.Order.class),
                part.count("concurrency"),
                new DispatchSpec.RetrySpec(
                        delivery.count("retry"),
                        delivery.word("backoffPolicy", DispatchSpec.BackoffPolicy.class),
                        delivery.duration("backoffDelay"),
                        delivery.duration("timeout"),
                        delivery.duration("retryAfterMax"),
                        sink.equals("none") ? "" : sink),
                new EventFilter.All(filters(part.parts("filters"))),
                part.count("ttl"),
                part.size("memory"));
    }

    private static List<EventFilter> filters(List<CheckedSection> parts) {
        return parts.stream().map(BindCluster::filter).toList();
    }

    private static EventFilter filter(CheckedSection part) {
        if (part.has("all")) {
            return new EventFilter.All(filters(part.parts("all")));
        }
        if (part.has("any")) {
            return new EventFilter.Any(filters(part.parts("any")));
        }
        if (part.has("not")) {
            return new EventFilter.Not(filter(part.part("not")));
        }
        if (part.has("prefix")) {
            return attributes(part.properties("prefix"), EventFilter.Prefix::new);
        }
        return part.has("suffix")
                ? attributes(part.properties("suffix"), EventFilter.Suffix::new)
                : attributes(part.properties("exact"), EventFilter.Exact::new);
    }

    /** A condition on several attributes asks for all of them. */
    private static EventFilter attributes(
            SortedMap<String, String> values, BiFunction<String, String, EventFilter> condition) {
        List<EventFilter> each = new ArrayList<>();
        values.forEach((attribute, value) -> each.add(condition.apply(attribute, value)));
        return each.size() == 1 ? each.get(0) : new EventFilter.All(each);
    }

    static BridgeSpec bridge(CheckedSection part, PlacedSpec otherwise, PlacedSpec.Kubernetes pods) {
        if (part.has("path")) {
            return new BridgeSpec.Delivery(
                    part.word("path", BridgeSpec.DeliveryPath.class),
                    dispatch(part),
                    limits(part.part("within")),
                    part.properties("producer"),
                    part.properties("consumer"),
                    placed(part, otherwise, pods));
        }
        if (part.has("url")) {
            return new BridgeSpec.Url(part.text("url"));
        }
        if (!part.has("gateway")) {
            return new BridgeSpec.None();
        }
        CheckedSection gateway = part.part("gateway");
        List<BridgeSpec.Balancer> balancers = new ArrayList<>();
        for (String balancer : part.texts("balancer")) {
            if (!balancer.equals("none")) {
                balancers.add(EnumNames.constant(balancer, BridgeSpec.Balancer.class));
            }
        }
        return new BridgeSpec.Gateway(
                gateway.count("instances"),
                gateway.word("answer", BridgeSpec.Answer.class),
                limits(gateway.part("within")),
                gateway.properties("producer"),
                balancers,
                part.has("config") ? part.path("config") : Path.of(""),
                placed(part, otherwise, pods));
    }
}
