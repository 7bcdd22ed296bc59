package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.WeirVersion;
import weir.cluster.relay.LoopbackRelay;
import weir.cluster.relay.Relay;
import weir.cluster.start.EmbeddedCluster;
import weir.host.LocalChild;
import weir.host.ProcessAction;
import weir.host.ProcessId;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.real.AssignedTrial;
import weir.real.EngineContract;
import weir.real.SharedKafka;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.Assignment;
import weir.worker.Fleet;
import weir.worker.LoadPhase;
import weir.worker.Worker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;
import weir.worker.link.LinkFrame;

/** A worker on another host, here another process. It carries a load like a local one; its end is noticed at once. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class RemoteWorkerIT {
    private static final String DELIVER = """
            topics: { t: { partitions: 2 } }
            load: { workload: deliver, producers: 2, consumers: 2, rate: 1000/s, producer: { acks: 1 },
                    value: { file: values.txt, each: line } }
            warmup: { operations: 100 }
            measure: LENGTH
            """;

    private static final int SECONDS = 4;
    private static final String TWENTY = """
            topics: { t: { partitions: 20 } }
            load: { workload: deliver, engine: wire, workers: 20, producers: 20, consumers: 20, rate: 2000/s,
                    producer: { acks: 1 }, value: { size: 100B } }
            warmup: none
            measure: 4s
            """;

    private static final Duration NOTICE = Duration.ofSeconds(15);

    @TempDir
    Path folder;

    private EmbeddedCluster cluster;
    private Agents agents;
    private LocalChild agent;
    private RemoteHost host;

    RemoteWorkerIT(SharedKafka.Clusters clusters) {
        cluster = clusters.one();
    }

    @BeforeEach
    void connect() throws IOException {
        agents = new Agents(folder);
        agent = agents.start("a");
        host = agents.await("a");
        Files.writeString(folder.resolve("values.txt"), "one\ntwo\nthree\n");
    }

    @AfterEach
    void disconnect() {
        agents.close();
    }

    private interface Task {
        void with(Assignment assignment, Worker worker) throws Exception;
    }

    private void assigned(String length, LoadListener told, Task task) throws Exception {
        AssignedTrial.run(
                cluster, agents.journal(), folder, DELIVER.replace("LENGTH", length), (assignment, variant) -> {
                    try (Worker worker = Fleet.of(List.of(host.start(
                                    WorkerJvm.of(variant.load(), List.of()),
                                    "worker-1",
                                    folder.resolve("worker-1.log"),
                                    TimeLimit.NEVER,
                                    told)
                            .worker()))) {
                        task.with(assignment, worker);
                    }
                });
    }

    @Test
    void remoteWorkerRunsAWholeTrial() throws Exception {
        AssignedTrial.RecordingListener told = new AssignedTrial.RecordingListener();
        AssignedTrial.RecordingListener looked = new AssignedTrial.RecordingListener();
        assigned("2s", told, (assignment, worker) -> {
            Runnable looking = host.sample(assignment.originNanos(), List.of(), looked);
            worker.prepare(assignment);
            worker.run(LoadPhase.WARMUP);
            worker.run(LoadPhase.MEASURE);
            assertThat(worker.drain(Duration.ofSeconds(20))).isTrue();
            worker.verify(Duration.ofSeconds(20));
            looking.run();
            Balance balance = worker.finish().ledger().balance(Steps.MEASURE);
            EngineContract.assertOnce(balance);
            assertThat(told.acked()).isEqualTo(balance.of(Count.ACKED));
            assertThat(told.sources).contains("generator");
            assertThat(looked.sources).containsOnly("host-a");
            assertThat(host.errorNanos()).isLessThan(50_000_000);
        });
        agents.end();
        assertThat(agent.endsWithin(NOTICE)).isTrue();
        assertThat(agent.exit().join()).isZero();
    }

    private ProcessId worker() {
        return ProcessId.of(ProcessHandle.of(agent.id().pid())
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow()
                .pid());
    }

    private interface Blow {
        void on(ProcessId worker) throws Exception;
    }

    private void failsSoon(Blow blow, String... reasons) throws Exception {
        AssignedTrial.RecordingListener told = new AssignedTrial.RecordingListener();
        AtomicReference<ProcessId> process = new AtomicReference<>();
        AtomicLong struck = new AtomicLong();
        assigned("60s", told, (assignment, worker) -> {
            worker.prepare(assignment);
            Thread killer = new Thread(() -> {
                try {
                    assertThat(told.measuring.await(30, TimeUnit.SECONDS)).isTrue();
                    process.set(worker());
                    struck.set(System.nanoTime());
                    blow.on(Objects.requireNonNull(process.get()));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            killer.start();
            assertThatThrownBy(() -> worker.run(LoadPhase.MEASURE))
                    .isInstanceOf(WorkerFailed.class)
                    .satisfies(failed -> assertThat(failed.getMessage()).contains(reasons));
            killer.join();
            assertThat(Duration.ofNanos(System.nanoTime() - struck.get())).isLessThan(NOTICE);
            assertThat(told.acked()).isPositive();
        });
        assertThat(ends(Objects.requireNonNull(process.get()))).isTrue();
    }

    private static boolean ends(ProcessId process) {
        return MachineClock.within(NOTICE).awaits(() -> !process.alive(), Duration.ofMillis(20));
    }

    @Test
    @Tag("long")
    void killedRemoteWorkerIsReported() throws Exception {
        failsSoon(
                worker -> ProcessHandle.of(worker.pid()).orElseThrow().destroyForcibly(),
                "worker-1",
                "on host 'a' was killed (signal 9");
    }

    @Test
    @Tag("long")
    void killedAgentEndsItsWorkersAndLosesItsHost() throws Exception {
        failsSoon(worker -> agent.kill(), "worker-1", "on host 'a' is lost: its agent closed the connection");
    }

    @Test
    @Tag("long")
    void pausedAgentEndsItsWorkersAndLosesItsHost() throws Exception {
        failsSoon(
                worker -> agent.signal(ProcessAction.PAUSE),
                "worker-1",
                "on host 'a' is lost: its agent sent nothing for 5 s");
        agent.signal(ProcessAction.RESUME);
        assertThat(agent.endsWithin(NOTICE)).isTrue();
        assertThat(agent.exit().join()).isEqualTo(1);
    }

    /** Like a network that drops everything: neither end learns that the other end is gone. */
    @Test
    @Tag("long")
    void silentLinkIsClosedByBothEnds() throws Exception {
        try (LoopbackRelay network = LoopbackRelay.before(agents.address().getPort())) {
            agent = agents.start(
                    "far", new InetSocketAddress(InetAddress.getLoopbackAddress(), network.port()), agents.token());
            host = agents.await("far");
            CompletableFuture<String> lost = new CompletableFuture<>();
            host.onLost(lost::complete);
            AtomicLong stalled = new AtomicLong();
            failsSoon(
                    worker -> {
                        stalled.set(System.nanoTime());
                        network.relay().stall(Relay.Direction.BOTH);
                    },
                    "worker-1",
                    "on host 'far' is lost: its agent sent nothing for 5 s");
            assertThat(lost).isCompletedWithValue("its agent sent nothing for 5 s");
            assertThat(agent.endsWithin(NOTICE)).isTrue();
            // Both ends count from the last frame, at most a second before. They check once or twice a second.
            assertThat(Duration.ofNanos(System.nanoTime() - stalled.get()))
                    .isBetween(Duration.ofSeconds(8), Duration.ofSeconds(20));
            assertThat(agent.exit().join()).isEqualTo(1);
            assertThat(agent.lastLines(1))
                    .containsExactly("the conductor sent nothing for 10 s; all processes of this worker have ended");
        }
    }

    @Tag("alone")
    @Test
    void twentyWorkersOfOneHostCarryOneLoad() throws Exception {
        int workers = 20;
        Map<Integer, List<Long>> heardIn = new ConcurrentHashMap<>();
        AssignedTrial.RecordingListener told = new AssignedTrial.RecordingListener() {
            @Override
            public void window(int worker, Snapshot snapshot) {
                if (snapshot.steps().contains(Steps.MEASURE)) {
                    heardIn.computeIfAbsent(worker, first -> Collections.synchronizedList(new ArrayList<>()))
                            .add(snapshot.index());
                }
                window(snapshot);
            }
        };
        AssignedTrial.run(cluster, agents.journal(), folder, TWENTY, (assignment, variant) -> {
            WorkerJvm jvm = WorkerJvm.of(variant.load(), List.of()).brief();
            assertThat(jvm.heap().bytes()).isLessThanOrEqualTo(160L << 20);
            try (Worker worker = Fleet.start(
                    workers,
                    folder,
                    told,
                    (number, log, listener) -> host.start(jvm, "worker-" + (number + 1), log, TimeLimit.NEVER, listener)
                            .worker())) {
                worker.prepare(assignment);
                PhaseTimes measured = worker.run(LoadPhase.MEASURE);
                assertThat(worker.drain(Duration.ofSeconds(20))).isTrue();
                worker.verify(Duration.ofSeconds(20));
                Balance balance = worker.finish().ledger().balance(Steps.MEASURE);
                EngineContract.assertOnce(balance);
                assertThat(balance.of(Count.SENT) + balance.of(Count.UNSENT)).isEqualTo(balance.of(Count.DUE));
                assertThat(balance.of(Count.DUE)).isEqualTo(100L * workers * SECONDS);
                assertThat(List.of(told.sum(Numbers::sent), told.acked(), told.sum(Numbers::received)))
                        .as("sent, acked and received in all windows")
                        .containsOnly(balance.of(Count.SENT));
                long first = (measured.startNanos() - assignment.originNanos()) / 1_000_000_000L;
                assertThat(heardIn).hasSize(workers);
                assertThat(heardIn.values())
                        .allSatisfy(seconds -> assertThat(seconds)
                                .contains(LongStream.range(first, first + SECONDS)
                                        .boxed()
                                        .toArray(Long[]::new)));
            }
        });
        assertThat(host.isLost()).isFalse();
    }

    @Test
    @Tag("long")
    void agentEndsIfTheConductorIsSilent() throws Exception {
        RunCertificates certificates = RunCertificates.make(agents.journal().newFolder("silent"));
        try (LinkListener silent = new LinkListener(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                certificates,
                WeirVersion.number(),
                (hello, links) -> {
                    try {
                        links.link(broken -> {}).send(LinkFrame.of(LinkFrame.Kind.WELCOME, hello.name()));
                    } catch (IOException e) {
                        throw new LinkRefused("gone", e);
                    }
                },
                LinkListener.IntroductionLimit.of(LinkListener.TIMEOUT))) {
            LocalChild unheard = agents.start("b", silent.address(), certificates.token());
            assertThat(unheard.endsWithin(Duration.ofSeconds(30))).isTrue();
            assertThat(unheard.exit().join()).isEqualTo(1);
            assertThat(unheard.lastLines(1))
                    .containsExactly("the conductor sent nothing for 10 s; all processes of this worker have ended");
        }
    }

    @Test
    void agentOfAnotherRunEndsWithAMessage() throws Exception {
        RunCertificates other = RunCertificates.make(agents.journal().newFolder("other"));
        LocalChild stranger = agents.start("b", agents.address(), other.token());
        assertThat(stranger.endsWithin(Duration.ofSeconds(30))).isTrue();
        assertThat(stranger.exit().join()).isEqualTo(3);
        assertThat(stranger.lastLines(5))
                .hasSize(1)
                .first()
                .asString()
                .contains("check that the token file is from this run");
    }
}
