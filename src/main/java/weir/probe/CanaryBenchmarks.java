package weir.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import weir.io.Io;
import weir.measure.Canary;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/**
 * The machine benchmarks before and after the measured trials: fixed pieces of work, which take about a second
 * together. If the speed of the benchmarks changes, the machine has changed. The benchmarks alternate, so that a short
 * disturbance affects only one round of each.
 */
public final class CanaryBenchmarks implements AutoCloseable {
    public static final String ONE_CORE = "cpu, one core";
    public static final String MEMORY = "memory copy";
    public static final String FSYNC = "fsync of 4 KiB";
    public static final String ROUND_TRIP = "loopback round trip";
    public static final String LOOPBACK = "loopback throughput";

    /** The figures of {@link MachineCheck}, by the name of the benchmark. */
    static final Map<String, String> FIGURES = Map.ofEntries(
            Map.entry(ONE_CORE, "canary.cpu.one"),
            Map.entry(MEMORY, "canary.memory"),
            Map.entry(FSYNC, "canary.fsync"),
            Map.entry(ROUND_TRIP, "canary.roundtrip"),
            Map.entry(LOOPBACK, "canary.loopback"));

    /** The number of unmeasured rounds. Meanwhile the code is compiled, and the starting JVM uses some of the cores. */
    private static final int WARM_UP = 6;

    private static final int ROUNDS = 9;
    private static final int FEWEST_ROUNDS = 5;
    /** The limit for all benchmarks together, because a disk may be slow. */
    private static final long LIMIT_NANOS = 1_400_000_000L;

    private static final long TURN_NANOS = 12_000_000L;
    private static final int STEPS = 20_000;
    private static final int COPIED = 16 << 20;
    private static final int BLOCK = 4096;
    /** The limit of the file, for disks in memory with an fsync of microseconds. */
    private static final int LARGEST_FILE = 1 << 20;

    private final LongSupplier clock = MachineClock.STEADY;
    private final long turnNanos;
    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final int cores = Runtime.getRuntime().availableProcessors();
    private final ExecutorService threads = Executors.newFixedThreadPool(cores, DaemonThreads.named("weir-canary"));
    private final long[] from = new long[COPIED / Long.BYTES];
    private final long[] to = new long[COPIED / Long.BYTES];
    private final Loopback loopback;
    private long written;

    private CanaryBenchmarks(Path folder, long turnNanos) throws IOException {
        this.turnNanos = turnNanos;
        file = Files.createTempFile(folder, "canary-", ".bin");
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        loopback = new Loopback();
    }

    private interface Work {
        double round() throws IOException, InterruptedException, ExecutionException;
    }

    private record Benchmark(
            String name, String unit, boolean moreIsBetter, double least, Work work, List<Double> rounds) {
        Benchmark(String name, String unit, boolean moreIsBetter, double least, Work work) {
            this(name, unit, moreIsBetter, least, work, new ArrayList<>());
        }
    }

    /** Runs all machine benchmarks on the disk of {@code folder}. Takes 1.5 s at most, unless the disk hangs. */
    public static List<Canary> run(Path folder) {
        return run(folder, TURN_NANOS, name -> true);
    }

    static List<Canary> run(Path folder, long turnNanos, Predicate<String> wanted) {
        try (CanaryBenchmarks canaries = new CanaryBenchmarks(folder, turnNanos)) {
            return canaries.rounds(wanted);
        } catch (IOException | ExecutionException e) {
            IOException cause = e instanceof IOException io ? io : new IOException(e.getCause());
            throw new UncheckedIOException("running the machine benchmarks in " + folder, cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during the machine benchmarks", e);
        }
    }

    private List<Canary> rounds(Predicate<String> wanted) throws IOException, InterruptedException, ExecutionException {
        List<Benchmark> benchmarks = Stream.of(
                        new Benchmark(ONE_CORE, "M steps/s", true, 0.1, () -> stepsPerMicro(1)),
                        new Benchmark(Canary.ALL_CORES, "M steps/s", true, 0.1, () -> stepsPerMicro(cores)),
                        new Benchmark(MEMORY, "MiB/s", true, 0.2, this::mebibytesCopied),
                        new Benchmark(FSYNC, "ms", false, 1, this::fsyncMillis),
                        new Benchmark(ROUND_TRIP, "µs", false, 4, () -> nanosPer(loopback::roundTrip) / 1e3),
                        new Benchmark(LOOPBACK, "MiB/s", true, 0.3, loopback::mebibytesPerSecond))
                .filter(benchmark -> wanted.test(benchmark.name()))
                .toList();
        // Differences between two samples of an idle machine were 3 % for a core, 15 % for memory, and 20 % for the
        // loopback. An fsync took up to twice as long after an idle time of the disk. A round trip took four times as
        // long when the other core slept.
        long start = clock.getAsLong();
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            if (round >= WARM_UP + FEWEST_ROUNDS && clock.getAsLong() - start > LIMIT_NANOS) {
                break;
            }
            for (Benchmark benchmark : benchmarks) {
                double value = benchmark.work().round();
                if (round >= WARM_UP) {
                    benchmark.rounds().add(value);
                }
            }
        }
        return benchmarks.stream()
                .map(benchmark -> new Canary(
                        benchmark.name(),
                        benchmark.unit(),
                        benchmark.moreIsBetter(),
                        benchmark.least(),
                        benchmark.rounds()))
                .toList();
    }

    private double stepsPerMicro(int together) throws InterruptedException, ExecutionException {
        List<Future<Double>> rates = new ArrayList<>();
        for (int thread = 0; thread < together; thread++) {
            long seed = thread + 1L;
            rates.add(threads.submit(() -> stepsPerMicro(seed)));
        }
        double sum = 0;
        for (Future<Double> rate : rates) {
            sum += rate.get();
        }
        return sum;
    }

    // Each step needs the previous step, so this is the speed of a core without parallel instructions.
    private double stepsPerMicro(long seed) throws IOException {
        long[] state = {seed};
        double nanos = nanosPer(() -> {
            long x = state[0];
            for (int i = 0; i < STEPS; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            state[0] = x;
        });
        // The condition is never true, but the use of x keeps the compiler from removing the loop.
        return state[0] == 0 ? Double.NaN : STEPS * 1e3 / nanos;
    }

    private double mebibytesCopied() throws IOException {
        return COPIED / (double) (1 << 20) / (nanosPer(() -> System.arraycopy(from, 0, to, 0, from.length)) / 1e9);
    }

    private double fsyncMillis() throws IOException {
        return nanosPer(() -> {
                    block.clear();
                    channel.write(block, written % LARGEST_FILE);
                    written += BLOCK;
                    channel.force(false);
                })
                / 1e6;
    }

    private double nanosPer(Io.Writing step) throws IOException {
        int done = 0;
        long start = clock.getAsLong();
        long now = start;
        while (now - start < turnNanos) {
            step.write();
            done++;
            now = clock.getAsLong();
        }
        return (now - start) / (double) done;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        loopback.close();
        channel.close();
        Files.deleteIfExists(file);
    }

    static final class Loopback implements AutoCloseable {
        private static final byte[] CHUNK = new byte[256 << 10];
        private static final int CHUNKS = 32;

        private final LongSupplier clock = MachineClock.STEADY;
        private final Socket echo;
        private final Socket count;
        private final Socket echoed;
        private final Socket counted;

        Loopback() throws IOException {
            try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
                echo = new Socket(server.getInetAddress(), server.getLocalPort());
                echoed = server.accept();
                count = new Socket(server.getInetAddress(), server.getLocalPort());
                counted = server.accept();
            }
            for (Socket socket : new Socket[] {echo, echoed, count, counted}) {
                socket.setTcpNoDelay(true);
            }
            serve("weir-canary-echo", () -> answer(echoed, 1));
            serve("weir-canary-count", () -> answer(counted, CHUNKS * CHUNK.length));
        }

        private static void serve(String name, Io.Writing service) {
            DaemonThreads.start(name, () -> {
                try {
                    service.write();
                } catch (IOException closed) {
                    return;
                }
            });
        }

        private static void answer(Socket socket, int every) throws IOException {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[CHUNK.length];
            int open = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                open += read;
                if (open >= every) {
                    open -= every;
                    out.write(1);
                }
            }
        }

        void roundTrip() throws IOException {
            echo.getOutputStream().write(1);
            expectAnswer(echo.getInputStream());
        }

        double mebibytesPerSecond() throws IOException {
            long start = clock.getAsLong();
            OutputStream out = count.getOutputStream();
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                out.write(CHUNK);
            }
            expectAnswer(count.getInputStream());
            return (double) CHUNKS * CHUNK.length / (1 << 20) / ((clock.getAsLong() - start) / 1e9);
        }

        private static void expectAnswer(InputStream in) throws IOException {
            if (in.read() < 0) {
                throw new IOException("a loopback connection of the machine benchmarks ended");
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : new Socket[] {echo, count, echoed, counted}) {
                socket.close();
            }
        }
    }
}
