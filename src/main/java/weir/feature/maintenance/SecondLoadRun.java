package weir.feature.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.results.value.LatencyResult;
import weir.run.disturbance.DisturbedTrial;
import weir.run.disturbance.FurtherLoad;
import weir.run.lab.Lab;
import weir.time.DaemonThreads;
import weir.worker.LoadPhase;

/** A second load in a trial: its processes, its quota, and its figures, which become readings of the trial. */
final class SecondLoadRun implements Lab.Activity {
    static final String DUE = "due.per.s";
    static final String ACKED = "acked.per.s";
    static final String BYTES = "acked.mib.per.s";
    static final String FAILED = "failed";
    static final String P50 = "response.p50.ms";
    static final String P99 = "response.p99.ms";
    static final String RECEIVED = "received.per.s";
    static final String E2E = "e2e.p99.ms";
    /** The highest mean delay of a request because of a quota, in any second. */
    static final String THROTTLE = "throttle.ms";
    /** The records that were acked in one second. */
    static final String ACKED_IN_SECOND = "acked";

    private static final double MIB = 1 << 20;

    private final String name;
    private final Figures figures;
    private final Lab.Activity quota;
    private final FurtherLoad load;

    private SecondLoadRun(String name, Figures figures, Lab.Activity quota, FurtherLoad load) {
        this.name = name;
        this.figures = figures;
        this.quota = quota;
        this.load = load;
    }

    /** The source of the readings. */
    static String source(String name) {
        return name + " (load)";
    }

    static SecondLoadRun start(String name, SecondLoad.Load second, DisturbedTrial trial) {
        Lab.Activity quota = () -> {};
        long bytes = second.quota().bytes();
        if (bytes > 0) {
            limit(trial.cluster(), second.clientId(name), (double) bytes);
            quota = () -> {
                if (!trial.cluster().gone()) {
                    limit(trial.cluster(), second.clientId(name), null);
                }
            };
        }
        Figures figures = new Figures(name, trial);
        try {
            FurtherLoad load = trial.loads().start(name, second.in(trial.variant(), name), figures);
            return new SecondLoadRun(name, figures, quota, load);
        } catch (RuntimeException e) {
            Lab.Activity set = quota;
            try (set) {
                throw e;
            }
        }
    }

    private static void limit(Cluster cluster, String clientId, @Nullable Double bytesPerSecond) {
        ClientQuotaEntity client = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
        var change = new ClientQuotaAlteration(
                client, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)));
        try (AdminAnswers answers =
                new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(Duration.ofSeconds(30)))) {
            answers.once(
                    "the quota of client " + clientId,
                    admin -> admin.alterClientQuotas(List.of(change)).all());
        }
    }

    /** Begins the load at the next whole second. */
    Lab.Activity begin() {
        CompletableFuture<PhaseTimes> done =
                CompletableFuture.supplyAsync(this::run, task -> DaemonThreads.start("weir-load-" + name, task));
        return () -> {
            load.worker().stop();
            try {
                PhaseTimes ran = done.join();
                figures.note((ran.endNanos() - ran.startNanos()) / 1e9);
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException failed ? failed : e;
            }
        };
    }

    private PhaseTimes run() {
        PhaseTimes ran = load.worker().run(LoadPhase.MEASURE);
        // The producers drop the records that they still hold, so that the load ends on time despite a quota.
        var unused = load.worker().drain(Duration.ZERO);
        return ran;
    }

    @Override
    public void close() {
        try (quota) {
            load.end().close();
        }
    }

    /** The sum of all windows of a second load. */
    private static final class Figures implements LoadListener {
        private final String name;
        private final DisturbedTrial trial;
        private final Numbers all = new Numbers();
        private final SortedMap<Long, Long> acked = new TreeMap<>();
        private double throttle;

        Figures(String name, DisturbedTrial trial) {
            this.name = name;
            this.trial = trial;
        }

        @Override
        public synchronized void window(Snapshot snapshot) {
            Numbers numbers = snapshot.all();
            all.add(numbers);
            acked.merge(snapshot.index(), numbers.acked(), Long::sum);
        }

        @Override
        public synchronized void reading(Reading reading) {
            if (reading.source().startsWith("client")
                    && reading.metric().equals("producer.produce-throttle-time-avg")) {
                throttle = Math.max(throttle, reading.value());
            }
        }

        @Override
        public void event(String text) {
            trial.notes().mark(trial.lab().nanos(), "note", source(name) + ": " + text);
        }

        synchronized void note(double seconds) {
            acked.forEach((second, count) ->
                    trial.notes().reading(new Reading(second, source(name), ACKED_IN_SECOND, count)));
            LatencyResult response = LatencyResult.of(all.latency(LatencyKind.RESPONSE));
            note(DUE, all.count(Count.DUE) / seconds);
            note(ACKED, all.acked() / seconds);
            note(BYTES, all.bytesAcked() / seconds / MIB);
            note(FAILED, (double) all.failed());
            note(P50, response.p50());
            note(P99, response.p99());
            if (all.received() > 0) {
                note(RECEIVED, all.received() / seconds);
                note(E2E, LatencyResult.of(all.latency(LatencyKind.E2E)).p99());
            }
            note(THROTTLE, throttle);
        }

        private void note(String metric, @Nullable Double value) {
            if (value != null) {
                trial.notes().reading(source(name), metric, value);
            }
        }
    }
}
