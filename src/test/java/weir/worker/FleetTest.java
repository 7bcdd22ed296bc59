package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.ReadLedger;
import weir.measure.Reading;
import weir.measure.SentLedger;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.time.MachineClock;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;

/** Several workers as one, each at the end of a test's link. */
@Timeout(30)
class FleetTest {
    private final List<String> heard = new ArrayList<>();

    private final Fleet.MergedListener chorus = new Fleet.MergedListener(
            new LoadListener() {
                @Override
                public void window(Snapshot snapshot) {
                    heard.add("window");
                }

                @Override
                public void window(int worker, Snapshot snapshot) {
                    heard.add("window of " + worker);
                }

                @Override
                public void reading(Reading reading) {
                    heard.add((long) reading.second() + " " + reading.source() + " " + reading.metric() + " "
                            + reading.value());
                }

                @Override
                public void event(String text) {
                    heard.add(text);
                }
            },
            2);

    private static final class Script extends SpokenLink {
        private final boolean dies;
        private final long startsLateNanos;

        Script(boolean dies, long startsLateNanos) {
            this.dies = dies;
            this.startsLateNanos = startsLateNanos;
        }

        @Override
        public void send(LinkFrame frame) {
            if (frame.kind() != Kind.RUN) {
                return;
            }
            if (dies) {
                end();
            } else if (startsLateNanos >= 0) {
                long start = LinkJson.read(frame.text(), LinkMessages.Run.class).startNanos() + startsLateNanos;
                say(LinkFrame.of(
                        Kind.DONE, LinkJson.write(new PhaseTimes(start, start + 1, false, List.of(), List.of()))));
            }
        }
    }

    private static LinkedWorker worker(Script link, int number) {
        return new LinkedWorker(
                link,
                number,
                LoadListener.NONE,
                () -> "worker " + number + " ended with exit code 137",
                MachineClock.STEADY);
    }

    private static Script silent() {
        return new Script(false, -1);
    }

    @Test
    void deathOfOneWorkerFailsTheFleetWithItsReason() {
        Script other = silent();
        Script dying = new Script(true, 0);
        try (Worker fleet = Fleet.of(List.of(worker(other, 1), worker(dying, 2)))) {
            assertThatThrownBy(() -> fleet.run(LoadPhase.MEASURE))
                    .isInstanceOf(WorkerFailed.class)
                    .hasMessage("worker 2 ended with exit code 137", MachineClock.STEADY);
        }
        assertThat(other.closed).isTrue();
        assertThat(dying.closed).isTrue();
    }

    @Test
    void workersThatDoNotBeginTogetherCarryNoCommonLoad() {
        Script punctual = new Script(false, 0);
        Script late = new Script(false, 1_000_000_000L);
        try (Worker fleet = Fleet.of(List.of(worker(punctual, 1), worker(late, 2)))) {
            assertThatThrownBy(() -> fleet.run(LoadPhase.MEASURE))
                    .isInstanceOf(WorkerFailed.class)
                    .hasMessageContaining("did not start together");
        }
    }

    @Test
    void workersThatStartedBeforeOneThatDidNotAreClosed() {
        Script first = silent();
        assertThatThrownBy(() -> Fleet.start(2, Path.of(""), LoadListener.NONE, (i, log, listener) -> {
                    if (i == 1) {
                        throw new IllegalStateException("its log lies in no folder");
                    }
                    return worker(first, i);
                }))
                .hasMessage("its log lies in no folder");
        assertThat(first.closed).isTrue();
    }

    @Test
    void aFleetHasAllItsProcesses() {
        try (Worker fleet = Fleet.of(List.of(worker(silent(), 7), worker(silent(), 8)))) {
            assertThat(fleet.pids()).containsExactly(7L, 8L);
        }
    }

    /** A link with a ledger, which it sends at the end. */
    private static SpokenLink with(Ledger ledger) {
        return new SpokenLink() {
            @Override
            public void send(LinkFrame frame) {
                if (frame.kind() == Kind.FINISH) {
                    say(LinkFrame.of(Kind.LEDGER, ledger::write));
                    say(LinkFrame.of(
                            Kind.DONE,
                            LinkJson.write(new LinkMessages.End(List.of(), new TreeMap<>(), new TreeMap<>()))));
                }
            }
        };
    }

    /** Adds a producer of its own, and a reader's view of all messages: every hundredth, some of them twice. */
    private static void carry(Ledger ledger, int worker) {
        SentLedger sender = ledger.sender(worker);
        sender.due(Steps.MEASURE, 1_000);
        sender.acked(sender.next(Steps.MEASURE, 1_000), 990);
        sender.failed(990, 10);
        ReadLedger reader = ledger.reader();
        for (int producer = 0; producer < 100; producer++) {
            for (int sequence = worker; sequence < 990; sequence += 100) {
                reader.received(worker % 4, worker * 2_000L + producer * 10L + sequence / 100, producer, sequence);
            }
        }
        reader.received(worker % 4, 900_000 + worker, worker, worker);
        reader.position(worker % 4, 1_000_000);
        reader.handOver();
    }

    @Test
    void theLedgerOfAHundredIsThatOfOneByteByByte() throws IOException {
        List<String> partitions = List.of("t-0", "t-1", "t-2", "t-10");
        Ledger one = new Ledger(partitions);
        List<LinkedWorker> workers = new ArrayList<>();
        for (int worker = 0; worker < 100; worker++) {
            carry(one, worker);
            Ledger own = new Ledger(partitions);
            carry(own, worker);
            workers.add(WorkerParts.linked(with(own), worker, LoadListener.NONE));
        }
        Collections.shuffle(workers, new Random(5));
        try (Worker fleet = Fleet.of(workers)) {
            Finished finished = fleet.finish();
            assertThat(bytes(finished.ledger())).isEqualTo(bytes(one));
            assertThat(finished.ledger().balance(Steps.MEASURE).of(Count.DUPLICATED))
                    .isEqualTo(100);
        }
    }

    private static byte[] bytes(Ledger ledger) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ledger.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    @Test
    void workerDeathReportsErrorsWithoutStackTraces() {
        assertThat(LocalWorker.reasons(List.of(
                        "10:00:00.000 ERROR KafkaThread: Uncaught exception in thread 'kafka-producer-network-thread'",
                        "java.lang.OutOfMemoryError: Java heap space",
                        "\tat java.base/java.nio.HeapByteBuffer.<init>(HeapByteBuffer.java:64)",
                        "\tat java.base/java.nio.ByteBuffer.allocate(ByteBuffer.java:363)",
                        "",
                        "Terminating due to java.lang.OutOfMemoryError: Java heap space")))
                .containsExactly(
                        "10:00:00.000 ERROR KafkaThread: Uncaught exception in thread 'kafka-producer-network-thread'",
                        "java.lang.OutOfMemoryError: Java heap space",
                        "Terminating due to java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void workerExitMessageBeginsWithTheReason() {
        assertThat(LocalWorker.exitMessage(
                        "worker 7 ended with exit code 3",
                        List.of("Terminating due to java.lang.OutOfMemoryError: Java heap space"),
                        Path.of("worker.log")))
                .isEqualTo("worker 7 ended with exit code 3, out of memory: Java heap space: a peer announced a huge"
                        + " message, or the heap is too small for this load (log: worker.log)");
        assertThat(LocalWorker.exitMessage(
                        "worker 7 ended with exit code 3",
                        List.of(
                                "11:05:16 WARN NetworkClient: disconnected",
                                "Terminating due to java.lang.OutOfMemoryError: Requested array size exceeds VM limit"),
                        Path.of("worker.log")))
                .isEqualTo("worker 7 ended with exit code 3, out of memory: Requested array size exceeds VM limit: a"
                        + " peer announced a message of about 2 GiB (log: worker.log)");
        assertThat(LocalWorker.exitMessage(
                        "worker 7 was killed (signal 9; out of memory?)", List.of(), Path.of("worker.log")))
                .isEqualTo("worker 7 was killed (signal 9; out of memory?) (log: worker.log)");
    }

    @Test
    void readingsOfAWorkerKeepItsNumber() {
        chorus.part(0).reading(new Reading(3, "generator", "cpu.cores", 0.5));
        chorus.part(1).reading(new Reading(3, "generator", "cpu.cores", 0.7));
        chorus.part(1).event("lost its broker");
        assertThat(heard)
                .containsExactly(
                        "3 generator-1 cpu.cores 0.5", "3 generator-2 cpu.cores 0.7", "worker 2: lost its broker");
    }

    @Test
    void lagIsSummedAfterEveryWorkerReported() {
        chorus.part(0).reading(new Reading(3, "readers", "lag.records", 10));
        assertThat(heard).isEmpty();
        chorus.part(1).reading(new Reading(3, "readers", "lag.records", 7));
        assertThat(heard).containsExactly("3 readers lag.records 17.0");
    }

    @Test
    void lagSecondsAreTheMaximumOfAllWorkers() {
        chorus.part(1).reading(new Reading(3, "readers", "lag.seconds", 4));
        chorus.part(0).reading(new Reading(3, "readers", "lag.seconds", 1));
        assertThat(heard).containsExactly("3 readers lag.seconds 4.0");
    }

    @Test
    void lagSumSkipsSecondsThatAWorkerMissed() {
        chorus.part(0).reading(new Reading(3, "readers", "lag.records", 10));
        chorus.part(0).reading(new Reading(4, "readers", "lag.records", 20));
        chorus.part(1).reading(new Reading(4, "readers", "lag.records", 5));
        chorus.part(1).reading(new Reading(5, "readers", "lag.records", 5));
        assertThat(heard).containsExactly("4 readers lag.records 25.0");
    }

    @Test
    void equalReadingsOfAllWorkersAreReportedOnce() {
        chorus.part(0).reading(new Reading(3, "transactions", "open.records", 8));
        chorus.part(1).reading(new Reading(3, "transactions", "open.records", 8));
        assertThat(heard).containsExactly("3 transactions open.records 8.0");
    }
}
