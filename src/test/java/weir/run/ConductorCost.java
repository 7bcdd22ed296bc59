package weir.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import weir.host.JavaRuntime;
import weir.measure.LoadListener;
import weir.plan.SyntheticTrial;
import weir.plan.trial.Trial;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.TrialWriter;
import weir.results.value.TrialConditions;
import weir.worker.LinkedWorker;
import weir.worker.WorkerParts;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.Pipes;

/**
 * The cost of conducting many workers, which one other process imitates: reading frames, adding up windows and writing
 * them as in a trial. {@code bench/workers} runs it and explains the figures.
 */
final class ConductorCost {
    private static final long SECOND = 1_000_000_000L;
    /** Seconds in which the other process records and connects. */
    private static final int START = 8;

    private ConductorCost() {}

    /** A link that counts its bytes and reports the end of the other side. */
    private record CountedLink(Link link, AtomicLong bytes, CountDownLatch ended) implements Link {
        @Override
        public void send(LinkFrame frame) throws IOException {
            link.send(frame);
        }

        @Override
        public LinkFrame receive() throws IOException {
            try {
                LinkFrame frame = link.receive();
                bytes.addAndGet(frame.size());
                return frame;
            } catch (IOException end) {
                ended.countDown();
                throw end;
            }
        }

        @Override
        public void close() {
            link.close();
        }
    }

    /** Arguments: workers, records per second of each, seconds. Prints CPU %, MiB, MB/s and window delays. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int workers = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[2]);
        Path root = Files.createTempDirectory("weir-workers");
        RunFolder run = RunFolder.create(
                root,
                Instant.EPOCH,
                "",
                new RequestedExperiment(
                        "1", "weir run x.yaml", "x", "", 1, false, List.of(), List.of(), new TreeMap<>(), List.of()),
                path -> {});
        Trial trial = SyntheticTrial.of(1, "base", 1);
        AtomicLong bytes = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(workers);
        List<LinkedWorker> all = new ArrayList<>();
        long origin = System.nanoTime() + START * SECOND;
        try (ServerSocket server = new ServerSocket(0, workers, InetAddress.getLoopbackAddress());
                TrialWriter writer = run.trial(trial, Instant.EPOCH)) {
            writer.conditions(TrialConditions.NONE);
            TrialRecorder recorder = new TrialRecorder(
                    trial, writer, System::nanoTime, origin, 0, new RunListeners(question -> false, List.of()));
            double[] latest = {0};
            recorder.watch(row -> latest[0] =
                    Math.max(latest[0], recorder.second(System.nanoTime()) - (row.second() + row.seconds())));
            List<LoadListener> parts = WorkerParts.of(recorder, workers);
            Process feeder = feeder(server.getLocalPort(), arguments, origin);
            for (int worker = 0; worker < workers; worker++) {
                Socket socket = server.accept();
                Link link = new Pipes(socket.getInputStream(), socket.getOutputStream());
                all.add(WorkerParts.linked(new CountedLink(link, bytes, ended), worker, parts.get(worker)));
            }
            Thread.sleep(Math.max(0, (origin - System.nanoTime()) / 1_000_000));
            double cpu = cpuSeconds();
            ended.await();
            cpu = cpuSeconds() - cpu;
            double late = latest[0];
            recorder.flush();
            System.out.printf(
                    Locale.ROOT,
                    "%d\t%.1f\t%.0f\t%.2f\t%.2f%n",
                    workers,
                    100 * cpu / seconds,
                    peakMebibytes(),
                    bytes.get() / 1e6 / seconds,
                    late);
            feeder.waitFor();
        } finally {
            all.forEach(LinkedWorker::close);
        }
    }

    private static Process feeder(int port, String[] arguments, long origin) throws IOException {
        return new ProcessBuilder(
                        JavaRuntime.own().launcher().toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerFeeder.class.getName(),
                        String.valueOf(port),
                        arguments[0],
                        arguments[1],
                        arguments[2],
                        String.valueOf(origin))
                .inheritIO()
                .start();
    }

    private static double cpuSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }

    /** Returns the maximum memory of this process. */
    private static double peakMebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(Double.NaN);
    }
}
