package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The load of one trial; property maps hold the values of the file with unresolved secret references. */
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

    /** The topics that a stream reads and writes, and when it commits; the topics are empty for any other load. */
    public record Stream(String from, String to, Commit commit) {}

    /** The producers of all workers; {@code http} applies to the HTTP engine only. */
    public record Producers(int count, Engine engine, SortedMap<String, String> properties, HttpSpec http) {
        public Producers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    /** The consumers of all workers; {@code receiver} applies to the HTTP engine only. */
    public record Consumers(
            int count, Engine engine, SortedMap<String, String> properties, GroupSpec group, ReceiverSpec receiver) {
        public Consumers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    public record Messages(KeySpec key, ValueSpec value) {}

    /** True if operations are not single records: the workloads write and stream, and all transactions. */
    public boolean operates() {
        return workload == Workload.WRITE || workload == Workload.STREAM || !transaction.none();
    }

    public RateSpec.Senders senders() {
        return new RateSpec.Senders(producers.count(), messages.value().sampledBytes());
    }

    /** The number of workers that carry a producer or a reader; Weir does not start the others. */
    public int processes() {
        int carried = switch (workload) {
            case CONSUME -> consumers.count();
            case DELIVER -> Math.max(producers.count(), consumers.count());
            case PRODUCE, WRITE, STREAM -> producers.count();
        };
        return Math.max(1, Math.min(workers, carried));
    }

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

    /** True if readers begin behind producers that continue to send. */
    public boolean catchesUp() {
        return workload == Workload.DELIVER && !backlog.none();
    }

    public enum Workload {
        PRODUCE,
        CONSUME,
        DELIVER,
        WRITE,
        STREAM
    }

    public enum Engine {
        CLIENT,
        WIRE,
        HTTP
    }

    public enum Target {
        CLUSTER,
        NULL
    }

    public enum Commit {
        EACH_RECORD,
        EACH_BATCH
    }
}
