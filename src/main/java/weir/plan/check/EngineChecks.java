package weir.plan.check;

import java.util.List;
import java.util.SortedMap;
import weir.plan.ClusterSpec;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.Variant;
import weir.plan.property.WireProperties;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;

/** The checks whether an engine supports a load. */
public record EngineChecks(ProblemSpot spot, LoadSpec load, Variant variant) {
    private static final String VERSION = "transaction.version";
    private static final String LEAST_IN_SYNC = "min.insync.replicas";
    private static final String LOG_REPLICAS = "transaction.state.log.replication.factor";
    private static final String LOG_IN_SYNC = "transaction.state.log.min.isr";

    private static final String TIMEOUT = "transaction.timeout.ms";
    private static final String MOST_TIMEOUT = "transaction.max.timeout.ms";

    /** The default replication of Kafka's internal topics, if there are enough brokers. */
    private static final int MOST_REPLICAS = 3;

    /** The reason why a client rejects a variant's combination of properties; empty if the client accepts them. */
    public static String refused(Variant variant) {
        Findings scratch = new Findings();
        ProblemSpot spot = new ProblemSpot(Tree.Section.empty(Origin.unwritten("")), scratch);
        new Requirements(spot, variant).check();
        new EngineChecks(spot, variant.load(), variant).check();
        return scratch.list().stream().findFirst().map(Problem::message).orElse("");
    }

    void check() {
        boolean sends = load.producers().engine() == LoadSpec.Engine.WIRE;
        boolean reads = load.consumers().engine() == LoadSpec.Engine.WIRE;
        if (sends) {
            wire("load.producer", load.producers().properties());
        }
        if (reads) {
            wire("load.consumer", load.consumers().properties());
        }
        if (sends || reads) {
            wire("cluster.client", variant.cluster().client());
        }
        if (load.transaction().records() > 0) {
            together(load.transaction().records());
        }
        String from = load.stream().from();
        if (load.workload() == LoadSpec.Workload.STREAM
                && from.equals(load.stream().to())
                && !from.isEmpty()) {
            spot.wrong(
                    "load.to",
                    "must not be a topic that the stream reads, because the stream would never end; write a topic other"
                            + " than '" + from + "'");
        }
        if (variant.cluster().startedByWeir()) {
            int level = variant.cluster().features().getOrDefault(VERSION, 0);
            if (level > 2) {
                spot.wrong("cluster.features." + VERSION, "must be at most 2, found '" + level + "'");
            }
            internal(variant.cluster());
            if (!load.transaction().none()) {
                inSync(variant.cluster());
                timeout(variant.cluster());
            }
        }
    }

    private void wire(String map, SortedMap<String, String> properties) {
        properties.forEach((name, value) -> {
            String refused = WireProperties.refuses(name, value);
            if (map.equals("cluster.client") && !WireProperties.known().containsKey(name) && spot.inClientFile(name)) {
                spot.remark("'" + name + "' in the client properties file has no effect on the wire engine");
            } else if (!refused.isEmpty()) {
                spot.wrong(map + "." + name, refused);
            }
        });
    }

    private void together(long some) {
        long each = Demand.records(variant);
        String at = "load.transaction.records";
        if (each > 0 && some % each != 0) {
            spot.wrong(
                    at,
                    "'" + some + "' is not a multiple of " + each + ", the number of records in one operation; write "
                            + Math.max(each, some / each * each));
            return;
        }
        if (variant.measure().counted() && load.producers().count() > 0) {
            long records = variant.measure().operations() * each;
            long together = some * load.producers().count();
            if (records % together != 0) {
                spot.wrong(
                        at,
                        "'" + some + "' does not divide the " + records + " measured records"
                                + (load.producers().count() > 1
                                        ? " among " + load.producers().count() + " producers"
                                        : "")
                                + ", so the last transaction would have fewer records; write measure: { operations: "
                                + Math.max(1, records / together) * together / each + " }");
            }
        }
    }

    private void timeout(ClusterSpec cluster) {
        long most = number(cluster.broker(), MOST_TIMEOUT, 900_000);
        if (number(load.producers().properties(), TIMEOUT, 0) > most) {
            spot.wrong(
                    "load.producer." + TIMEOUT,
                    "must be at most the brokers' " + MOST_TIMEOUT + ", " + most + ", or no transaction can begin;"
                            + " lower this timeout, or raise cluster.broker."
                            + MOST_TIMEOUT);
        }
    }

    private void inSync(ClusterSpec cluster) {
        long least = number(cluster.broker(), LEAST_IN_SYNC, 1);
        variant.topics().forEach((name, topic) -> {
            boolean used = load.topics().contains(name)
                    || name.equals(load.stream().from())
                    || name.equals(load.stream().to());
            long own = number(topic.config(), LEAST_IN_SYNC, least);
            if (used && own > topic.replication()) {
                spot.wrong(
                        topic.config().containsKey(LEAST_IN_SYNC)
                                ? "topics." + name + ".config." + LEAST_IN_SYNC
                                : "topics." + name + ".replication",
                        "topic '" + name + "' has " + topic.replication()
                                + (topic.replication() == 1 ? " replica" : " replicas")
                                + " but needs " + own + " replicas in sync (" + LEAST_IN_SYNC + "), so no record can be"
                                + " written; write replication: " + own + " or more");
            }
        });
    }

    /**
     * Checks the replication of Kafka's internal topics, because a cluster is not ready without them. By default it is
     * at most the number of brokers.
     */
    private void internal(ClusterSpec cluster) {
        int brokers = cluster.brokers().size();
        long replicas = Math.min(MOST_REPLICAS, brokers);
        for (String property : List.of("offsets.topic.replication.factor", LOG_REPLICAS)) {
            replicas = number(cluster.broker(), property, Math.min(MOST_REPLICAS, brokers));
            if (replicas > brokers) {
                spot.wrong(
                        "cluster.broker." + property,
                        "'" + replicas + "' replicas require as many brokers, but there "
                                + (brokers == 1 ? "is " : "are ") + brokers + ", so no "
                                + (property.equals(LOG_REPLICAS) ? "transaction" : "consumer group")
                                + " can begin; write at most " + brokers + ", or brokers: " + replicas);
                return;
            }
        }
        long needed = number(cluster.broker(), LOG_IN_SYNC, 1);
        if (needed > replicas) {
            spot.wrong(
                    "cluster.broker." + LOG_IN_SYNC,
                    "must be at most the " + replicas
                            + (cluster.broker().containsKey(LOG_REPLICAS)
                                    ? " of " + LOG_REPLICAS
                                    : (replicas == 1 ? " replica" : " replicas") + " that " + brokers
                                            + (brokers == 1 ? " broker allows" : " brokers allow"))
                            + ", or no transaction can begin; found '" + needed + "'");
        }
    }

    public static long number(SortedMap<String, String> properties, String name, long otherwise) {
        String text = properties.getOrDefault(name, "").strip();
        return text.matches("[0-9]{1,10}") ? Long.parseLong(text) : otherwise;
    }
}
