package weir.plan.read;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.DispatchSpec;
import weir.plan.EnumNames;
import weir.plan.EventFilter;
import weir.plan.Limits;
import weir.plan.TopicSpec;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.Units;

/** Makes records of the sections {@code cluster} and {@code topics}. */
final class BindCluster {
    private BindCluster() {}

    static ClusterSpec cluster(CheckedSection part) {
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
                limits(part.part("within")),
                part.properties("broker"),
                part.word("fresh", ClusterSpec.Fresh.class),
                client);
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

    static TopicSpec topic(CheckedSection part) {
        return new TopicSpec(
                part.count("partitions"),
                part.count("replication"),
                part.count("count"),
                part.flag("existing"),
                part.properties("config"));
    }

    static BridgeSpec bridge(CheckedSection part) {
        if (part.has("path")) {
            return new BridgeSpec.Delivery(
                    part.word("path", BridgeSpec.DeliveryPath.class),
                    new DispatchSpec(
                            1,
                            DispatchSpec.Order.NONE,
                            100,
                            new DispatchSpec.RetrySpec(
                                    0,
                                    DispatchSpec.BackoffPolicy.EXPONENTIAL,
                                    Duration.ofMillis(200),
                                    Duration.ofSeconds(30),
                                    Duration.ZERO,
                                    ""),
                            EventFilter.NONE,
                            255,
                            new ByteSize(64 << 20)),
                    Limits.NONE,
                    new TreeMap<>(),
                    new TreeMap<>());
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
                part.has("config") ? part.path("config") : Path.of(""));
    }
}
