package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The load of one trial. Property maps contain the values of the file, with unresolved references to secrets. */
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
        PlacedSpec placed,
        List<LoadPart> parts) {
    public LoadSpec {
        topics = List.copyOf(topics);
        parts = List.copyOf(parts);
    }

    /** The topics that a stream reads and writes, and the time of its commits; empty topics for any other load. */
    public record Stream(String from, String to, Commit commit) {}

    public record Producers(int count, Engine engine, SortedMap<String, String> properties) {
        public Producers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    /**
     * The readers of a load.
     *
     * @param commit the time of the commits of a group's readers; without meaning for a stream
     */
    public record Consumers(
            int count,
            Engine engine,
            SortedMap<String, String> properties,
            GroupSpec group,
            WorkSpec work,
            ThreadsSpec threads,
            Commit commit,
            Outcome outcome) {
        public Consumers {
            properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
        }
    }

    /** The shares of deliveries that readers of a share group release and reject instead of accepting them. */
    public record Outcome(Ratio release, Ratio reject) {}

    public record Messages(KeySpec key, ValueSpec value) {}

    public <P extends LoadPart> P part(Class<P> type) {
        return parts.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    /** The HOST:PORT of a worker's server for messages; empty without a server or for any free port. */
    public String listen() {
        return parts.stream()
                .map(LoadPart::listen)
                .filter(listen -> !listen.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** True if operations are not single records: for the workloads write and stream, and for all transactions. */
    public boolean operates() {
        return workload == Workload.WRITE || workload == Workload.STREAM || !transaction.none();
    }

    public RateSpec.Senders senders() {
        return new RateSpec.Senders(producers.count(), messages.value().sampledBytes());
    }

    /** The number of workers with at least one producer or reader. Weir starts no other workers. */
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
                    : "only " + workers + " of " + hosts + " hosts" + (workers == 1 ? " has" : " have") + " a"
                            + " worker; to use all hosts write workers: " + hosts;
        }
        String what = workload == Workload.CONSUME ? "consumers" : "producers";
        return "only " + processes() + " of " + workers + " workers can share the load; to use all workers write"
                + " " + what + ": "
                + workers;
    }

    /** True if readers start with a backlog while producers send. */
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
        /** The engine of a feature, for a protocol other than Kafka's. */
        OTHER
    }

    public enum Target {
        CLUSTER,
        NULL
    }

    public enum Commit {
        /** By the client, from time to time. */
        AUTO,
        EACH_BATCH,
        EACH_RECORD,
        NONE
    }
}
