package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.hosts.LinkListener.Hello;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Plans;
import weir.time.TimeLimit;
import weir.worker.Fleet;
import weir.worker.LinkedWorker;
import weir.worker.Worker;
import weir.worker.WorkerJvm;
import weir.worker.WorkerParts;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.QueuedLink;

/** A hundred hosts over TLS, which must report the same as one process. */
@Timeout(60)
class HundredHostsTest {
    private static final int HOSTS = 100;
    private static final int SECONDS = 5;
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> PARTITIONS = List.of("t-0", "t-1", "t-2", "t-10");

    @TempDir
    private Path folder;

    private final Map<Long, Snapshot> windows = new ConcurrentHashMap<>();

    private static void carry(Recorder recorder, Ledger ledger, int worker) {
        SplittableRandom random = new SplittableRandom(worker);
        SentLedger sender = ledger.sender(worker);
        int messages = SECONDS * 20;
        sender.due(Steps.MEASURE, messages);
        sender.acked(sender.next(Steps.MEASURE, messages), messages);
        ReadLedger reader = ledger.reader();
        for (int i = 0; i < messages; i++) {
            long due = i * SECOND / 20;
            long sent = due + random.nextLong(100_000);
            long acked = sent + random.nextLong(1L << random.nextInt(10, 24));
            recorder.due(Steps.MEASURE, due, 1);
            recorder.sent(Steps.MEASURE, 1, 1, due, sent, sent, 0, 100);
            recorder.acked(Steps.MEASURE, 1, 1, due, sent, acked, 100);
            recorder.received(Steps.MEASURE, 1, due, acked, 100);
            reader.received(worker % 4, worker * 1_000L + i, worker, i);
        }
        reader.position(worker % 4, 1_000_000);
        reader.handOver();
    }

    /** Runs the commands, reports the share of a worker at the end, and cuts frames as a pipe would. */
    private static void serve(QueuedLink conductor, int worker) {
        try {
            conductor.send(LinkFrame.of(Kind.PING, out -> {
                out.writeLong(1);
                out.writeLong(1);
            }));
            while (true) {
                LinkFrame frame = conductor.receive();
                if (frame.kind() == Kind.CALL) {
                    LinkCall call = LinkCall.read(frame);
                    int channel = call.word(0, HostCalls.Worker.class).channel();
                    String started = LinkJson.write(new HostCalls.Started(channel, 1, 0));
                    conductor.send(new LinkCall.Answer(call.number(), started, "").frame());
                } else if (frame.kind() == Kind.CHANNEL) {
                    DataInputStream in = frame.content();
                    int channel = in.readInt();
                    assertThat(LinkFrame.read(in).kind()).isEqualTo(Kind.FINISH);
                    byte[] said = said(worker);
                    for (int from = 0; from < said.length; from += 1_000) {
                        byte[] piece = Arrays.copyOfRange(said, from, Math.min(said.length, from + 1_000));
                        conductor.sendBlocking(HostedProcess.bytes(Kind.CHANNEL, channel, piece, piece.length));
                    }
                } else if (frame.kind() == Kind.CLOSE) {
                    int channel = frame.content().readInt();
                    conductor.send(HostedProcess.ended(channel, 0, ""));
                } else if (frame.kind() == Kind.BYE) {
                    conductor.close();
                    return;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] said(int worker) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(said);
        List<LinkFrame> frames = new ArrayList<>();
        Ledger ledger = new Ledger(PARTITIONS);
        Recorder recorder = new Recorder(
                0, SECOND, Integer.MAX_VALUE, window -> frames.add(LinkFrame.of(Kind.WINDOW, window::write)));
        carry(recorder, ledger, worker);
        recorder.close();
        frames.add(LinkFrame.of(Kind.LEDGER, ledger::write));
        frames.add(LinkFrame.of(Kind.DONE, "{\"properties\":[],\"jvm\":{},\"metrics\":{}}"));
        for (LinkFrame frame : frames) {
            frame.write(out);
        }
        return said.toByteArray();
    }

    private static byte[] bytes(LinkFrame.Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static List<String> written(Map<Long, Snapshot> windows) throws IOException {
        List<String> written = new ArrayList<>();
        for (Snapshot window : new TreeMap<>(windows).values()) {
            written.add(HexFormat.of().formatHex(bytes(window::write)));
        }
        return written;
    }

    @Test
    @Tag("long")
    void sumOfHundredHostsEqualsThatOfOneProcess() throws Exception {
        Map<Long, Snapshot> whole = new TreeMap<>();
        Ledger one = new Ledger(PARTITIONS);
        for (int worker = 0; worker < HOSTS; worker++) {
            Recorder recorder = new Recorder(
                    0, SECOND, Integer.MAX_VALUE, window -> whole.merge(window.index(), window.copy(), Snapshot::plus));
            carry(recorder, one, worker);
            recorder.close();
        }
        List<Thread> agents = new ArrayList<>();
        try (WorkerHosts.RemoteHosts hosts = new WorkerHosts.RemoteHosts(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder, "1.0", () -> 0)) {
            SSLContext token = RunCertificates.read(hosts.token());
            String build = ProgramFiles.build("1.0");
            for (int i = 0; i < HOSTS; i++) {
                int number = i;
                QueuedLink link = Agent.dial(
                        hosts.address(),
                        token,
                        new Hello(Hello.PROTOCOL, build, "17", "machine", "host-" + i, 1, 1, 1),
                        broken -> {});
                Thread agent = new Thread(() -> serve(link, number));
                agent.setDaemon(true);
                agent.start();
                agents.add(agent);
            }
            LoadListener listener = new LoadListener() {
                @Override
                public void window(Snapshot window) {
                    windows.merge(window.index(), window, Snapshot::plus);
                }
            };
            List<LoadListener> parts = WorkerParts.of(listener, HOSTS);
            WorkerJvm jvm = WorkerJvm.of(Plans.only("load: {}").load(), List.of());
            List<LinkedWorker> workers = new ArrayList<>();
            for (int i = 0; i < HOSTS; i++) {
                workers.add(hosts.await("host-" + i, Duration.ofSeconds(20))
                        .start(
                                jvm,
                                "worker-" + i,
                                folder.resolve("worker-" + i + ".log"),
                                TimeLimit.NEVER,
                                parts.get(i))
                        .worker());
            }
            try (Worker fleet = Fleet.of(workers)) {
                assertThat(bytes(fleet.finish().ledger()::write)).isEqualTo(bytes(one::write));
            }
            assertThat(written(windows)).isEqualTo(written(whole));
        }
        for (Thread agent : agents) {
            agent.join();
        }
    }
}
