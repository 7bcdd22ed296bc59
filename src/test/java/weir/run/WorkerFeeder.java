package weir.run;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.worker.ReadingFrames;
import weir.worker.link.LinkFrame;
import weir.worker.link.Pipes;

/** A process that sends recorded frames of many workers each second, each worker over its own connection. */
final class WorkerFeeder {
    private static final long SECOND = 1_000_000_000L;
    private static final int RECORDED = 10;
    private static final int STEPS = 20;
    /** Indexes and steps below 128 are one byte, which is overwritten. */
    private static final int MOST = 127;

    private static final int INDEX_AT = 1;
    private static final int STEP_AT = 3;

    private WorkerFeeder() {}

    /** Arguments: port, workers, records per second of each, seconds, origin of the trial on this clock. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int workers = Integer.parseInt(arguments[1]);
        int perSecond = Integer.parseInt(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);
        if (seconds > MOST) {
            throw new IllegalArgumentException("'" + seconds + "' seconds are more than " + MOST);
        }
        List<byte[]> recorded = new ArrayList<>();
        for (int i = 0; i < RECORDED; i++) {
            recorded.add(second(perSecond, new SplittableRandom(i)));
        }
        List<Pipes> links = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            links.add(new Pipes(socket.getInputStream(), socket.getOutputStream()));
        }
        long origin = Long.parseLong(arguments[4]);
        for (int second = 0; second < seconds; second++) {
            long due = origin + (second + 1) * SECOND;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            for (int worker = 0; worker < workers; worker++) {
                byte[] frame = recorded.get((worker + second) % RECORDED).clone();
                frame[INDEX_AT] = (byte) second;
                frame[STEP_AT] = (byte) (Steps.MEASURE + second * STEPS / seconds);
                links.get(worker).send(LinkFrame.of(LinkFrame.Kind.WINDOW, out -> out.write(frame)));
                links.get(worker).send(ReadingFrames.of(readings(second, worker)));
            }
        }
        links.forEach(Pipes::close);
    }

    /** Returns a second of one worker: response with a median of 2 ms and a tail to 100 ms, as of brokers. */
    private static byte[] second(int records, SplittableRandom random) throws IOException {
        List<Snapshot> windows = new ArrayList<>();
        Recorder recorder = new Recorder(0, 10 * SECOND, Integer.MAX_VALUE, window -> windows.add(window.copy()));
        for (int i = 0; i < records; i++) {
            long due = i * SECOND / records;
            long sent = due + 5_000 + (long) (20_000 * -Math.log(1 - random.nextDouble()));
            long acked = sent + 1_000_000 + (long) (1_500_000 * -Math.log(1 - random.nextDouble()));
            acked += random.nextInt(200) == 0 ? random.nextLong(100_000_000) : 0;
            recorder.due(Steps.MEASURE, due, 1);
            recorder.sent(Steps.MEASURE, 1, 1, due, sent, sent + 2_000, 0, 250);
            recorder.acked(Steps.MEASURE, 1, 1, due, sent, acked, 250);
            recorder.ackedDuring(Steps.MEASURE, 1, 1, acked, 250);
            recorder.received(Steps.MEASURE, 1, due, acked + 500_000, 250);
            recorder.receivedDuring(Steps.MEASURE, 1, acked + 500_000, 250);
        }
        recorder.close();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        windows.get(0).write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** As many readings as a worker with the Java client has. */
    private static List<Reading> readings(int second, int worker) {
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < 27; i++) {
            readings.add(new Reading(second, "generator", "metric.of.the.generator." + i, worker + i / 10.0));
        }
        for (int i = 0; i < 15; i++) {
            readings.add(new Reading(second, "client", "producer.metric-of-a-client-" + i, worker + i / 10.0));
        }
        for (String metric : List.of("lag.records", "lag.records.max", "lag.seconds")) {
            readings.add(new Reading(second, "readers", metric, worker));
        }
        return readings;
    }
}
