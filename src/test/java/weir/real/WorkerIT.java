package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.host.ProcessId;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Steps;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.property.ResolvedSecrets;
import weir.worker.Assignment;
import weir.worker.Finished;
import weir.worker.Fleet;
import weir.worker.LoadPhase;
import weir.worker.LocalWorker;
import weir.worker.WarmWorker;
import weir.worker.Worker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;

/** A worker as a process that carries a load; its end loses no report. */
@ExtendWith(SharedKafka.class)
@Timeout(90)
class WorkerIT {
    private static final String PRODUCE = """
            topics: { t: { partitions: 2 } }
            load: { workload: deliver, producers: 2, consumers: 2, rate: 1000/s, producer: { acks: 1 } }
            warmup: { operations: 100 }
            measure: 2s
            """;

    @TempDir
    static Path folder;

    private static Journal journal;
    private static Children children;
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
        cluster = clusters.one();
    }

    @AfterAll
    static void stop() {
        children.close();
        journal.close();
    }

    private static void assigned(String yaml, AssignedTrial.Task task) throws Exception {
        AssignedTrial.run(cluster, journal, folder, yaml, task);
    }

    private static Worker start(Variant variant, String log, LoadListener listener) {
        return Fleet.of(List.of(LocalWorker.start(
                        children, WorkerJvm.of(variant.load(), List.of()), "worker", folder.resolve(log), listener)
                .worker()));
    }

    @Test
    void aWorkerCarriesATrialFromEndToEnd() throws Exception {
        AssignedTrial.RecordingListener heard = new AssignedTrial.RecordingListener();
        assigned(PRODUCE, (assignment, variant) -> {
            try (Worker worker = start(variant, "whole.log", heard)) {
                worker.prepare(assignment);
                worker.run(LoadPhase.FILL);
                worker.run(LoadPhase.WARMUP);
                PhaseTimes end = worker.run(LoadPhase.MEASURE);
                assertThat((end.startNanos() - assignment.originNanos()) % 1_000_000_000L)
                        .isZero();
                assertThat(end.endNanos() - end.startNanos()).isEqualTo(2_000_000_000L);
                assertThat(end.steps()).hasSize(1);
                assertThat(worker.drain(Duration.ofSeconds(20))).isTrue();
                worker.verify(Duration.ofSeconds(20));
                Finished finished = worker.finish();
                Balance balance = finished.ledger().balance(Steps.MEASURE);
                EngineContract.assertOnce(balance);
                assertThat(heard.acked()).isEqualTo(balance.of(Count.ACKED));
                assertThat(finished.jvm().get("flags")).contains("-Xmx");
                assertThat(finished.properties())
                        .anySatisfy(property -> {
                            assertThat(property.of() + " " + property.name()).isEqualTo("producer acks");
                            assertThat(property.source()).isEqualTo(Property.Source.YOURS);
                        })
                        .anySatisfy(property -> {
                            assertThat(property.name()).isEqualTo("enable.idempotence");
                            assertThat(property.effective()).isEqualTo("false");
                            assertThat(property.source()).isEqualTo(Property.Source.OVERRIDDEN);
                        });
            }
        });
    }

    private static long carriedBy(WarmWorker standby) throws Exception {
        AssignedTrial.RecordingListener heard = new AssignedTrial.RecordingListener();
        AtomicLong pid = new AtomicLong();
        assigned(PRODUCE.replace("2s", "1s"), (assignment, variant) -> {
            WorkerJvm jvm = WorkerJvm.of(variant.load(), List.of()).forMany();
            try (Worker worker = standby.acquire(jvm, folder.resolve("lent.log"), heard)) {
                pid.set(worker.pids().get(0));
                worker.prepare(assignment);
                worker.run(LoadPhase.WARMUP);
                worker.run(LoadPhase.MEASURE);
                assertThat(worker.drain(Duration.ofSeconds(20))).isTrue();
                worker.verify(Duration.ofSeconds(20));
                Balance balance = worker.finish().ledger().balance(Steps.MEASURE);
                EngineContract.assertOnce(balance);
                assertThat(heard.acked()).isEqualTo(balance.of(Count.ACKED));
            }
        });
        return pid.get();
    }

    @Test
    @Tag("long")
    void warmWorkerIsReusedUntilATrialDoesNotEnd() throws Exception {
        long last = 0;
        try (WarmWorker standby = new WarmWorker(children)) {
            long first = carriedBy(standby);
            assertThat(carriedBy(standby)).isEqualTo(first);
            assigned(PRODUCE.replace("2s", "1s"), (assignment, variant) -> {
                WorkerJvm jvm = WorkerJvm.of(variant.load(), List.of()).forMany();
                ProcessId id = ProcessId.of(first);
                try (Worker worker =
                        standby.acquire(jvm, folder.resolve("lent.log"), new AssignedTrial.RecordingListener())) {
                    assertThat(worker.pids()).containsExactly(first);
                    worker.prepare(assignment);
                    worker.run(LoadPhase.MEASURE);
                }
                assertThat(id.alive()).isFalse();
            });
            last = carriedBy(standby);
            assertThat(last).isNotEqualTo(first);
            assertThat(ProcessHandle.of(last)).isPresent();
        }
        assertThat(ProcessHandle.of(last).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void killedWorkerIsReportedAndItsWindowsAreKept() throws Exception {
        AssignedTrial.RecordingListener heard = new AssignedTrial.RecordingListener();
        assigned(PRODUCE.replace("2s", "60s"), (assignment, variant) -> {
            Worker worker = start(variant, "killed.log", heard);
            worker.prepare(assignment);
            ProcessId id = ProcessId.of(worker.pids().get(0));
            Thread killer = new Thread(() -> {
                try {
                    assertThat(heard.measuring.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                ProcessHandle.of(id.pid()).orElseThrow().destroyForcibly();
            });
            killer.start();
            assertThatThrownBy(() -> worker.run(LoadPhase.MEASURE))
                    .isInstanceOf(WorkerFailed.class)
                    .hasMessageContaining("was killed (signal 9; out of memory?)");
            killer.join();
            assertThat(heard.acked()).isPositive();
            assertThatThrownBy(() -> worker.drain(Duration.ofSeconds(1))).isInstanceOf(WorkerFailed.class);
            worker.close();
            assertThat(id.alive()).isFalse();
        });
    }

    @Test
    void workerFailureCarriesItsReason() throws Exception {
        assigned(PRODUCE, (assignment, variant) -> {
            try (Worker worker = start(variant, "refused.log", new AssignedTrial.RecordingListener())) {
                SortedMap<String, List<String>> wrong = new TreeMap<>();
                wrong.put("t", List.of("no-such-topic"));
                Assignment impossible = new Assignment(
                        assignment.variant(),
                        1,
                        0,
                        1,
                        1,
                        1,
                        assignment.originNanos(),
                        assignment.client(),
                        assignment.producer(),
                        assignment.consumer(),
                        wrong,
                        List.of(),
                        Assignment.Receiving.NONE,
                        new TreeMap<>(),
                        "",
                        "",
                        List.of(),
                        ResolvedSecrets.NONE);
                assertThatThrownBy(() -> worker.prepare(impossible))
                        .isInstanceOf(WorkerFailed.class)
                        .hasMessageContaining("no-such-topic");
            }
        });
    }
}
