package weir.plan;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The load of one trial. Property maps hold what the file says, secret references unresolved. */
public record LoadSpec(
        Workload workload,
        Engine send,
        Engine receive,
        Target target,
        RateSpec rate,
        List<String> topics,
        String from,
        String to,
        Commit commit,
        BacklogSpec backlog,
        int producers,
        int consumers,
        GroupSpec group,
        int workers,
        int connections,
        KeySpec key,
        ValueSpec value,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        TransactionSpec transaction,
        Limits within) {
    public LoadSpec {
        topics = List.copyOf(topics);
        producer = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        consumer = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
    }

    /** True when operations are more than single records: of several, of a stream, or in transactions. */
    public boolean operates() {
        return workload == Workload.WRITE
                || workload == Workload.STREAM
                || !(transaction instanceof TransactionSpec.None);
    }

    /** How many of the workers have a producer or a reader to carry: the others are not started. */
    public int processes() {
        int carried = switch (workload) {
            case CONSUME -> consumers;
            case DELIVER -> Math.max(producers, consumers);
            case PRODUCE, WRITE, STREAM -> producers;
        };
        return Math.max(1, Math.min(workers, carried));
    }

    /** Returns a remark about workers that carry nothing; empty where all carry something. */
    public String idleWorkers() {
        if (processes() >= workers) {
            return "";
        }
        String what = workload == Workload.CONSUME ? "consumers" : "producers";
        return "of " + workers + " workers only " + processes() + " can share the load; for all write " + what + ": "
                + workers;
    }

    /** True when readers begin far behind producers that go on. */
    public boolean catchesUp() {
        return workload == Workload.DELIVER && !(backlog instanceof BacklogSpec.None);
    }

    public LoadSpec with(RateSpec newRate) {
        return new LoadSpec(
                workload,
                send,
                receive,
                target,
                newRate,
                topics,
                from,
                to,
                commit,
                backlog,
                producers,
                consumers,
                group,
                workers,
                connections,
                key,
                value,
                producer,
                consumer,
                transaction,
                within);
    }

    /** All that sends, against a sink that only acknowledges, and without what a sink has no part in. */
    public LoadSpec sendingSide(RateSpec newRate, SortedMap<String, String> newProducer) {
        return new LoadSpec(
                Workload.PRODUCE,
                send,
                send,
                Target.NULL,
                newRate,
                topics,
                from,
                to,
                commit,
                new BacklogSpec.None(),
                producers,
                consumers,
                new GroupSpec.Assigned(),
                workers,
                connections,
                key,
                value,
                newProducer,
                new TreeMap<>(),
                new TransactionSpec.None(),
                Limits.NONE);
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
