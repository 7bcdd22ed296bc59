package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.LoadListener;
import weir.plan.Plans;
import weir.time.TimeLimit;
import weir.worker.Fleet;
import weir.worker.LoadPhase;
import weir.worker.StartedWorker;
import weir.worker.Worker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;

/** A host from the view of its conductor, with the test's agent and clock. */
@Timeout(30)
class RemoteHostTest {
    /** {@code make claims} uses ten times as many. */
    private static final int DAMAGED = Integer.getInteger("hostile", 10_000);

    private static final long SECOND = 1_000_000_000L;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong();
    private final FakeAgent agent = agent("a");

    private FakeAgent agent(String name) {
        try {
            return new FakeAgent(name, now::get);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            now.addAndGet(SECOND);
            agent.host.check();
        }
    }

    private Worker started() throws Exception {
        WorkerJvm jvm = WorkerJvm.of(Plans.only("load: {}").load(), List.of());
        CompletableFuture<StartedWorker> worker = CompletableFuture.supplyAsync(
                () -> agent.host.start(jvm, "worker-1", folder.resolve("worker-1.log"), LIMIT, LoadListener.NONE));
        LinkCall call = LinkCall.read(agent.hear(Kind.CALL));
        assertThat(call.op()).isEqualTo(HostCalls.Op.START_WORKER.name());
        HostCalls.Worker start = call.word(0, HostCalls.Worker.class);
        assertThat(start.jvm()).isEqualTo(jvm);
        assertThat(start.limit()).isEqualTo(LIMIT);
        agent.answer(call, new HostCalls.Started(start.channel(), 4711, 1));
        byte[] log = "10:00 WARN last words\n".getBytes(StandardCharsets.UTF_8);
        agent.say(HostedProcess.bytes(Kind.LOG, start.channel(), log, log.length));
        agent.ping();
        return Fleet.of(List.of(worker.get().worker()));
    }

    @Test
    void hostSilentForFiveSecondsIsLostWithItsWorkers() throws Exception {
        Worker worker = started();
        List<String> lost = new ArrayList<>();
        agent.host.onLost(lost::add);
        seconds(4);
        assertThat(agent.host.isLost()).isFalse();
        seconds(1);
        assertThat(agent.host.isLost()).isTrue();
        assertThat(lost).containsExactly("its agent sent nothing for 5 s");
        assertThatThrownBy(() -> worker.run(LoadPhase.MEASURE))
                .isInstanceOf(WorkerFailed.class)
                .hasMessage(
                        "worker-1 4711 on host 'a' is lost: its agent sent nothing for 5 s: 10:00 WARN last words (log: "
                                + folder.resolve("worker-1.log") + ")");
        worker.close();
    }

    @Test
    void hostWithRegularPingsIsKept() throws Exception {
        for (int i = 0; i < 20; i++) {
            seconds(4);
            agent.ping();
        }
        assertThat(agent.host.isLost()).isFalse();
        assertThat(agent.host.errorNanos()).isEqualTo(1_000);
    }

    @Test
    void closedLinkEndsPendingRequests() throws Exception {
        Worker worker = started();
        CompletableFuture<?> running = CompletableFuture.runAsync(() -> worker.run(LoadPhase.MEASURE));
        agent.hear(Kind.CHANNEL);
        agent.hangUp();
        assertThatThrownBy(() -> running.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(WorkerFailed.class)
                .hasMessageContaining("on host 'a' is lost: its agent closed the connection");
        assertThatThrownBy(() -> agent.host.start(
                        WorkerJvm.of(Plans.only("load: {}").load(), List.of()),
                        "worker-2",
                        folder.resolve("worker-2.log"),
                        TimeLimit.NEVER,
                        LoadListener.NONE))
                .isInstanceOf(WorkerFailed.class)
                .hasMessage("worker-2 could not be started: host 'a' is lost: its agent closed the connection");
    }

    @Test
    void endedProcessReportsItsExitReason() throws Exception {
        Worker worker = started();
        agent.say(HostedProcess.ended(1, 137, ""));
        agent.ping();
        assertThatThrownBy(() -> worker.run(LoadPhase.MEASURE))
                .isInstanceOf(WorkerFailed.class)
                .hasMessageStartingWith("worker-1 4711 on host 'a' was killed (signal 9; out of memory?)");
    }

    @Test
    void processKilledByItsAgentReportsTheReason() throws Exception {
        Worker worker = started();
        agent.say(HostedProcess.ended(1, 137, "was killed: it exceeded its limit"));
        agent.ping();
        assertThatThrownBy(() -> worker.run(LoadPhase.MEASURE))
                .isInstanceOf(WorkerFailed.class)
                .hasMessage("worker-1 4711 on host 'a' was killed: it exceeded its limit (log: "
                        + folder.resolve("worker-1.log") + ")");
    }

    @Test
    void aClockIsKnownOnceItsErrorIsSmallEnough() throws Exception {
        assertThat(agent.host.clocked(RemoteHost.UNKNOWN - 1, Duration.ofMillis(1)))
                .isFalse();
        agent.ping();
        assertThat(agent.host.clocked(1_000, Duration.ofSeconds(20))).isTrue();
        assertThat(agent.host.clocked(999, Duration.ofMillis(1))).isFalse();
    }

    @Test
    void lostHostEndsTheWaitForItsClock() throws Exception {
        CompletableFuture<Boolean> known =
                CompletableFuture.supplyAsync(() -> agent.host.clocked(1, Duration.ofDays(1)));
        agent.ping();
        seconds(5);
        assertThat(known.get(10, TimeUnit.SECONDS)).isFalse();
    }

    private static List<LinkFrame> samples() {
        return List.of(
                new LinkCall.Answer(1, "{}", "").frame(),
                HostedProcess.ended(9, 0, "x"),
                HostedProcess.bytes(Kind.CHANNEL, 9, new byte[40], 40),
                HostedProcess.bytes(Kind.LOG, 9, new byte[40], 40),
                LinkFrame.of(Kind.READINGS, out -> {
                    out.writeInt(1);
                    out.writeLong(3);
                    out.writeUTF("host-a");
                    out.writeUTF("cpu.cores");
                    out.writeDouble(1);
                }),
                LinkFrame.of(Kind.PING, out -> {
                    out.writeLong(1);
                    out.writeLong(2);
                }));
    }

    @Test
    void damagedFramesAreHandledOrRefused() throws IOException {
        List<LinkFrame> samples = samples();
        List<Kind> kinds = List.of(Kind.values());
        Random random = new Random(3);
        int refused = 0;
        for (int i = 0; i < DAMAGED; i++) {
            LinkFrame sample = samples.get(random.nextInt(samples.size()));
            byte[] payload = sample.content().readAllBytes();
            for (int at = random.nextInt(3); at >= 0; at--) {
                payload[random.nextInt(payload.length)] = (byte) random.nextInt();
            }
            Kind kind = random.nextInt(10) == 0 ? kinds.get(random.nextInt(kinds.size())) : sample.kind();
            try {
                agent.host.handle(LinkFrame.of(kind, out -> out.write(payload)));
            } catch (IOException | RuntimeException expected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(DAMAGED / 100);
    }

    @Test
    void agentWithInvalidFramesIsDropped() throws Exception {
        FakeAgent other = agent("b");
        Random random = new Random(11);
        List<byte[]> streams = new ArrayList<>();
        streams.add("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        // The head of a frame of 256 MiB.
        streams.add(new byte[] {16, 0, 0, 0, (byte) ('c' + 128)});
        ByteArrayOutputStream backwards = new ByteArrayOutputStream();
        LinkFrame.of(Kind.PREPARE, "{}").write(new DataOutputStream(backwards));
        streams.add(backwards.toByteArray());
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[200];
            random.nextBytes(noise);
            noise[0] = 1;
            streams.add(noise);
        }
        for (byte[] stream : streams) {
            FakeAgent hostile = agent("hostile");
            CompletableFuture<String> lost = new CompletableFuture<>();
            hostile.host.onLost(lost::complete);
            hostile.say(stream);
            assertThat(lost.get(10, TimeUnit.SECONDS)).startsWith("listening to its agent: ");
        }
        other.ping();
        assertThat(other.host.isLost()).isFalse();
    }
}
