package weir;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import weir.host.OwnedFolders;

/**
 * The faults of {@code src/test/mutants}, and which of them the fast tests catch. Each fault is compiled to its own
 * folder, which comes first on the class path of the JVM that runs the tests. Nothing is written elsewhere.
 */
final class Mutants implements AutoCloseable {
    private static final Path CATALOGUE = Path.of("src/test/mutants");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path TESTS = Path.of("target/test-classes");
    private static final int NAMED_SECONDS = 120;
    private static final int ALL_SECONDS = 600;
    /** Failures on a busy machine without any fault, after which the tests no longer count. */
    private static final int MOST_FLAWS = 3;

    private final Path folder;
    private final int jobs;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    private Mutants(Path folder, int jobs) {
        this.folder = folder;
        this.jobs = jobs;
    }

    private enum Fate {
        CAUGHT,
        SURVIVED,
        /** The fault does not fit the code, or does not compile. */
        STALE
    }

    /** @param how test that caught the fault, or the reason why none did */
    private record Found(Mutant mutant, Fate fate, String how, double seconds) {
        /** True if the entry explains why no test needs to catch the fault. */
        boolean excused() {
            return fate == Fate.SURVIVED && !mutant.explained().isEmpty();
        }

        String line() {
            String word = fate == Fate.CAUGHT ? "caught" : fate.name();
            return String.format(
                    Locale.ROOT,
                    "%-9s %5.1f s  %s, %s: %s%s",
                    word,
                    seconds,
                    mutant.area(),
                    mutant.type(),
                    mutant.title(),
                    how.isEmpty() ? "" : "; " + how);
        }
    }

    /**
     * @param failed failures; empty if all tests passed
     * @param by class of the failed test; empty if none failed
     */
    private record Ran(String failed, String by) {
        boolean passed() {
            return failed.isEmpty();
        }
    }

    /** {@code args}: number of parallel tests, and words that select areas, classes or titles; all without words. */
    public static void main(String... args) throws IOException, InterruptedException, ExecutionException {
        int jobs = Integer.parseInt(args[0]);
        List<String> only = List.of(args).subList(1, args.length);
        List<Mutant> chosen = Mutant.all(CATALOGUE).stream()
                .filter(mutant -> only.isEmpty() || only.stream().anyMatch(word -> has(mutant, word)))
                .toList();
        Mutants mutants = new Mutants(Files.createTempDirectory("weir-mutants-"), jobs);
        // Also after Ctrl-C.
        Runtime.getRuntime().addShutdownHook(new Thread(mutants::close));
        System.exit(mutants.judge(chosen) ? 0 : 1);
    }

    private static boolean has(Mutant mutant, String word) {
        return (mutant.area() + " " + mutant.type() + " " + mutant.title()).contains(word);
    }

    /** True if every fault was caught or is excused. The expected tests run first, because they are fast. */
    private boolean judge(List<Mutant> chosen) throws IOException, InterruptedException, ExecutionException {
        long start = System.nanoTime();
        if (!soundWithout(named(chosen), ALL_SECONDS)) {
            return false;
        }
        // If all tests take long without a fault, the machine is busy. Each test with a fault then gets more time.
        int seconds = (int) Math.max(NAMED_SECONDS, 2 * (System.nanoTime() - start) / 1_000_000_000);
        List<Found> found = new ArrayList<>(each(chosen, mutant -> mutant.classes(TESTS), seconds));
        List<Mutant> left = survivors(found);
        System.out.println(left.size() + " are left for all fast tests");
        while (!left.isEmpty()) {
            Optional<List<Found>> caught = caughtAmong(left);
            if (caught.isEmpty()) {
                return false;
            }
            if (caught.get().isEmpty()) {
                break;
            }
            found.removeIf(one ->
                    caught.get().stream().anyMatch(other -> other.mutant().equals(one.mutant())));
            found.addAll(caught.get());
            left = survivors(found);
        }
        found.stream().filter(one -> one.fate() == Fate.SURVIVED).forEach(one -> System.out.println(one.line()));
        return report(found);
    }

    private static List<Mutant> survivors(List<Found> found) {
        return found.stream()
                .filter(one -> one.fate() == Fate.SURVIVED)
                .map(Found::mutant)
                .toList();
    }

    /**
     * Returns faults among these that a fast test catches, perhaps not all at once. Often all tests pass with all
     * faults planted together, and one run is enough. Empty if tests fail without any fault.
     */
    private Optional<List<Found>> caughtAmong(List<Mutant> left)
            throws IOException, InterruptedException, ExecutionException {
        List<String> all = Mutant.classesIn(TESTS, TESTS);
        Ran ran;
        try {
            ran = run(compiled(left), all, ALL_SECONDS);
        } catch (Mutant.Stale together) {
            ran = new Ran("together they do not compile", "");
        }
        if (ran.passed()) {
            return Optional.of(List.of());
        }
        List<String> one = ran.by().isEmpty() ? all : List.of(ran.by());
        if (!soundWithout(one, ALL_SECONDS)) {
            return Optional.empty();
        }
        List<Found> caught = caught(each(left, mutant -> one, ALL_SECONDS));
        return Optional.of(caught.isEmpty() ? caught(each(left, mutant -> all, ALL_SECONDS)) : caught);
    }

    private static List<Found> caught(List<Found> found) {
        return found.stream().filter(one -> one.fate() != Fate.SURVIVED).toList();
    }

    private static List<String> named(List<Mutant> chosen) throws IOException {
        Set<String> tests = new TreeSet<>();
        for (Mutant mutant : chosen) {
            try {
                tests.addAll(mutant.classes(TESTS));
            } catch (Mutant.Stale known) {
                // The line of the fault reports it.
            }
        }
        return List.copyOf(tests);
    }

    /** A test that fails without a fault catches nothing. */
    private boolean soundWithout(List<String> tests, int seconds) throws IOException, InterruptedException {
        Path nothing = Files.createDirectories(folder.resolve("none"));
        Ran ran = run(nothing, tests, seconds);
        if (!ran.passed()) {
            System.out.println("without any fault: " + ran.failed());
        }
        return ran.passed();
    }

    private interface Tests {
        List<String> of(Mutant mutant) throws IOException, Mutant.Stale;
    }

    private List<Found> each(List<Mutant> mutants, Tests tests, int seconds)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        List<Future<Found>> futures = new ArrayList<>();
        for (Mutant mutant : mutants) {
            futures.add(threads.submit(() -> told(of(mutant, tests, seconds))));
        }
        List<Found> found = new ArrayList<>();
        try {
            for (Future<Found> future : futures) {
                found.add(future.get());
            }
        } finally {
            threads.shutdownNow();
        }
        return found;
    }

    private static Found told(Found found) {
        if (found.fate() != Fate.SURVIVED) {
            System.out.println(found.line());
        }
        return found;
    }

    private Found of(Mutant mutant, Tests tests, int seconds) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Fate fate = Fate.CAUGHT;
        String how;
        try {
            Ran ran = run(compiled(List.of(mutant)), tests.of(mutant), seconds);
            how = ran.failed();
            if (ran.passed()) {
                fate = Fate.SURVIVED;
                how = mutant.explained();
            }
        } catch (Mutant.Stale e) {
            fate = Fate.STALE;
            how = String.valueOf(e.getMessage());
        }
        return new Found(mutant, fate, how, (System.nanoTime() - start) / 1e9);
    }

    private Path compiled(List<Mutant> mutants) throws IOException, Mutant.Stale {
        Path own = Files.createTempDirectory(folder, "fault-");
        Set<Path> planted = new TreeSet<>();
        for (Mutant mutant : mutants) {
            Path source = mutant.source(SOURCES);
            Path copy = own.resolve(SOURCES.relativize(source));
            Files.createDirectories(own.resolve(SOURCES.relativize(source.resolveSibling(""))));
            Files.writeString(copy, mutant.planted(Files.readString(planted.add(copy) ? source : copy)));
        }
        Path classes = Files.createDirectory(own.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-proc:none",
                    "-nowarn",
                    "-parameters",
                    "-implicit:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path"));
            if (!compiler.getTask(errors, files, null, options, null, files.getJavaFileObjectsFromPaths(planted))
                    .call()) {
                throw new Mutant.Stale("does not compile: "
                        + errors.toString().lines().findFirst().orElse(""));
            }
        }
        return classes;
    }

    /** Runs tests with these classes instead of the originals. A failure counts only if it repeats. */
    private Ran run(Path classes, List<String> tests, int seconds) throws IOException, InterruptedException {
        Ran ran = runOnce(classes, tests, seconds);
        for (int flaws = 0; flaws < MOST_FLAWS && !ran.by().isEmpty(); flaws++) {
            if (!runOnce(classes, List.of(ran.by()), seconds).passed()) {
                return ran;
            }
            System.out.println("a fault of the tests: failed once " + ran.failed());
            ran = runOnce(classes, tests, seconds);
        }
        return ran;
    }

    private Ran runOnce(Path classes, List<String> tests, int seconds) throws IOException, InterruptedException {
        Path result = Files.createTempFile(folder, "result-", ".txt");
        Path temporary = Files.createTempDirectory(folder, "tmp-");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                MutantTests.class.getName(),
                result.toString()));
        command.addAll(tests);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // A fault may delete files that it should keep.
        builder.environment().put("XDG_STATE_HOME", temporary.toString());
        Process process = builder.start();
        running.add(process);
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        end(process);
        running.remove(process);
        String text = Files.readString(result);
        OwnedFolders.delete(temporary);
        Files.delete(result);
        if (text.startsWith("failed ")) {
            String[] words = text.split(" ", 3);
            return new Ran("by " + words[2], words[1]);
        }
        if (!ended) {
            return new Ran("by time: no end within " + seconds + " s", "");
        }
        return new Ran(text.matches("passed [1-9].*") ? "" : "by the end of the JVM, " + process.exitValue(), "");
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    private static boolean report(List<Found> all) {
        Map<String, List<Found>> areas = new TreeMap<>();
        all.forEach(found -> areas.computeIfAbsent(found.mutant().area(), area -> new ArrayList<>())
                .add(found));
        System.out.printf(
                "%n%-14s %7s %7s %9s %10s %6s%n", "area", "faults", "caught", "survived", "explained", "stale");
        areas.forEach(Mutants::row);
        row("all", all);
        return all.stream().allMatch(found -> found.fate() == Fate.CAUGHT || found.excused());
    }

    private static void row(String area, List<Found> found) {
        long excused = found.stream().filter(Found::excused).count();
        System.out.printf(
                "%-14s %7d %7d %9d %10d %6d%n",
                area,
                found.size(),
                count(found, Fate.CAUGHT),
                count(found, Fate.SURVIVED) - excused,
                excused,
                count(found, Fate.STALE));
    }

    private static long count(List<Found> found, Fate fate) {
        return found.stream().filter(one -> one.fate() == fate).count();
    }

    @Override
    public void close() {
        running.forEach(Mutants::end);
        try {
            OwnedFolders.delete(folder);
        } catch (UncheckedIOException e) {
            System.err.println(e.getMessage() + ": " + e.getCause());
        }
    }

    /** Test classes that run in their own JVM until a test fails. */
    static final class MutantTests implements TestExecutionListener {
        /** Time limit for the parallel tests after one test failed. */
        private static final int ENDING_SECONDS = 15;

        /** The settings that Maven uses. */
        private static final Map<String, String> PARALLEL = Map.of(
                "junit.jupiter.execution.parallel.enabled", "true",
                "junit.jupiter.execution.parallel.mode.default", "same_thread",
                "junit.jupiter.execution.parallel.mode.classes.default", "concurrent",
                "junit.jupiter.execution.parallel.config.strategy", "fixed",
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4",
                "junit.jupiter.execution.parallel.config.fixed.max-pool-size", "4");

        private final Path result;
        private final CancellationToken token = CancellationToken.create();
        private final AtomicBoolean failed = new AtomicBoolean();
        private final AtomicLong passed = new AtomicLong();

        private MutantTests(Path result) {
            this.result = result;
        }

        /** Writes the result to the file of the first argument: {@code failed CLASS TEST} or {@code passed COUNT}. */
        public static void main(String... args) {
            MutantTests tests = new MutantTests(Path.of(args[0]));
            tests.run(List.of(args).subList(1, args.length));
            // A fault may keep children running.
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            System.exit(0);
        }

        private void run(List<String> classes) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(classes.stream().map(name -> selectClass(name)).toList())
                    .configurationParameters(PARALLEL)
                    .build();
            LauncherFactory.create()
                    .execute(LauncherExecutionRequestBuilder.request(request)
                            .cancellationToken(token)
                            .listeners(this)
                            .build());
            if (!failed.get()) {
                write("passed " + passed);
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult outcome) {
            if (outcome.getStatus() == TestExecutionResult.Status.SUCCESSFUL && test.isTest()) {
                passed.incrementAndGet();
            }
            if (outcome.getStatus() == TestExecutionResult.Status.FAILED && failed.compareAndSet(false, true)) {
                write("failed " + name(test));
                token.cancel();
                CompletableFuture.delayedExecutor(ENDING_SECONDS, TimeUnit.SECONDS)
                        .execute(() -> Runtime.getRuntime().halt(1));
            }
        }

        private static String name(TestIdentifier test) {
            String type = test.getSource()
                    .map(source -> source instanceof MethodSource method
                            ? method.getClassName()
                            : source instanceof ClassSource whole ? whole.getClassName() : "")
                    .orElse("");
            String method = test.getSource()
                    .map(source -> source instanceof MethodSource one ? "." + one.getMethodName() : "")
                    .orElse("");
            return type + " " + type.replaceFirst(".*\\.", "") + method;
        }

        private void write(String text) {
            try {
                Files.writeString(result, text);
            } catch (IOException e) {
                throw new UncheckedIOException("writing " + result, e);
            }
        }
    }
}
