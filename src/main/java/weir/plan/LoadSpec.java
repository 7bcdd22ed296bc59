package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The load of one trial. Property maps hold what the file says, secret references unresolved. */
public record LoadSpec(
        Workload workload,
        Target target,
        RateSpec rate,
        List<String> topics,
        Stream stream,
        BacklogSpec backlog,
        Producers producers,
        Consumers consumers,
        Messages messages,
        TransactionSpec transaction,
        int workers,
        Limits within,
        PlacedSpec placed) {
    public LoadSpec {
        topics = List.copyOf(topics);
    }

    /** The topics that a stream reads and writes, empty for any other load, and when it commits its offsets. */
    public record Stream(String from, String to, Commit commit) {}

    /** The producers of all workers; {@code http} is for those that speak it. */
    public record Producers(int count, Engine engine, SortedMap<String, String> properties, HttpSpec http) {
        public Producers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    /** The consumers of all workers; {@code receiver} is for one that is sent events by HTTP. */
    public record Consumers(
            int count, Engine engine, SortedMap<String, String> properties, GroupSpec group, ReceiverSpec receiver) {
        public Consumers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    public record Messages(KeySpec key, ValueSpec value) {}

    /** True when operations are more than single records: of several, of a stream, or in transactions. */
    public boolean operates() {
        return workload == Workload.WRITE || workload == Workload.STREAM || !transaction.none();
    }

    /** The producers as the ones that a rate is dealt out to, and the mean bytes of their values. */
    public RateSpec.Senders senders() {
        return new RateSpec.Senders(producers.count(), messages.value().sampledBytes());
    }

    /** How many of the workers have a producer or a reader to carry: the others are not started. */
    public int processes() {
        int carried = switch (workload) {
            case CONSUME -> consumers.count();
            case DELIVER -> Math.max(producers.count(), consumers.count());
            case PRODUCE, WRITE, STREAM -> producers.count();
        };
        return Math.max(1, Math.min(workers, carried));
    }

    /** Returns a remark about workers or hosts that carry nothing; empty where all carry something. */
    public String idleWorkers() {
        if (processes() >= workers) {
            int hosts = placed.names().size();
            return hosts <= workers
                    ? ""
                    : "of " + hosts + " hosts only " + workers + (workers == 1 ? " has" : " have")
                            + " a worker; for all write workers: " + hosts;
        }
        String what = workload == Workload.CONSUME ? "consumers" : "producers";
        return "of " + workers + " workers only " + processes() + " can share the load; for all write " + what + ": "
                + workers;
    }

    /** True when readers begin far behind producers that go on. */
    public boolean catchesUp() {
        return workload == Workload.DELIVER && !backlog.none();
    }

    /** All that sends, against a sink that only acknowledges, and without what a sink has no part in. */
    public LoadSpec sendingSide(RateSpec newRate, SortedMap<String, String> properties) {
        return RecordKeys.with(
                this,
                Map.ofEntries(
                        Map.entry("workload", Workload.PRODUCE),
                        Map.entry("target", Target.NULL),
                        Map.entry("rate", newRate),
                        Map.entry("backlog", new BacklogSpec.None()),
                        Map.entry("producer", properties),
                        Map.entry("engine.receive", producers.engine()),
                        Map.entry("consumer", Collections.emptySortedMap()),
                        Map.entry("group", new GroupSpec.Assigned()),
                        Map.entry("receiver", ReceiverSpec.PLAIN),
                        Map.entry("transaction", new TransactionSpec.None()),
                        Map.entry("within", Limits.NONE)));
    }

    /** The kind of operation that the load consists of. */
    public enum Workload {
        PRODUCE,
        CONSUME,
        DELIVER,
        WRITE,
        STREAM
    }

    /** The client that carries the records. */
    public enum Engine {
        CLIENT,
        WIRE,
        HTTP
    }

    /** Where the load goes. */
    public enum Target {
        CLUSTER,
        NULL
    }

    /** When a stream commits its offsets. */
    public enum Commit {
        EACH_RECORD,
        EACH_BATCH
    }
}
