package weir.run.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weir.host.HomeFolders;
import weir.plan.ProfileSpec;
import weir.probe.profile.JvmProfiler;
import weir.probe.profile.Profile;
import weir.probe.profile.ProfilerLibrary;
import weir.results.profile.ProfileResult;
import weir.results.profile.ProfiledTrial;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** Profilers in JVMs of this machine. */
final class JvmProfilers implements Lab.Profiling {
    /** A busy JVM answers in milliseconds; a slower one is paused or never answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SortedMap<String, JvmProfiler> profilers = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Path folder;
    private final Duration patience;
    private final Supplier<Instant> wall;
    private Instant from = Instant.EPOCH;
    private Instant to = Instant.EPOCH;

    private interface Act {
        void on(String name, JvmProfiler profiler) throws IOException;
    }

    private JvmProfilers(Path folder, Supplier<Instant> wall, Duration patience) {
        this.patience = patience;
        this.folder = folder;
        this.wall = wall;
    }

    static JvmProfilers attach(
            SortedMap<String, Long> jvms, List<ProfileSpec.Event> events, Path folder, Supplier<Instant> wall) {
        return attach(jvms, events, folder, wall, PATIENCE);
    }

    static JvmProfilers attach(
            SortedMap<String, Long> jvms,
            List<ProfileSpec.Event> events,
            Path folder,
            Supplier<Instant> wall,
            Duration patience) {
        JvmProfilers all = new JvmProfilers(folder, wall, patience);
        Path library = all.library();
        SortedMap<String, Asked<JvmProfiler>> asked = new TreeMap<>();
        jvms.forEach((name, pid) ->
                asked.put(name, ask(name, () -> JvmProfiler.attach(pid, events, folder, library), JvmProfiler::close)));
        all.profilers.putAll(all.answers(asked));
        return all;
    }

    /** A pending answer of a JVM; the JVM or the timeout, whichever settles it first, decides whether it counts. */
    private record Asked<T>(FutureTask<T> answer, AtomicBoolean settled) {}

    private interface Question<T> {
        T ask() throws IOException;
    }

    /** Asks on a separate thread, because a paused or stuck JVM does not answer and the run must not wait. */
    private static <T> Asked<T> ask(String name, Question<T> question, Consumer<T> tooLate) {
        AtomicBoolean settled = new AtomicBoolean();
        FutureTask<T> answer = new FutureTask<>(() -> {
            T given = question.ask();
            if (!settled.compareAndSet(false, true)) {
                tooLate.accept(given);
            }
            return given;
        });
        DaemonThreads.start("weir-profiler-" + name, answer);
        return new Asked<>(answer, settled);
    }

    private static void await(Asked<?> one, TimeLimit deadline)
            throws TimeoutException, ExecutionException, InterruptedException {
        try {
            one.answer().get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            if (one.settled().compareAndSet(false, true)) {
                throw e;
            }
        }
    }

    private <T> SortedMap<String, T> answers(SortedMap<String, Asked<T>> asked) {
        SortedMap<String, T> answers = new TreeMap<>();
        TimeLimit deadline = MachineClock.within(patience);
        asked.forEach((name, one) -> {
            try {
                await(one, deadline);
                answers.put(name, one.answer().get());
            } catch (TimeoutException e) {
                failed(name, "it did not answer within " + patience.toMillis() + " ms");
            } catch (ExecutionException e) {
                failed(
                        name,
                        String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed(name, "it was not waited for");
            }
        });
        return answers;
    }

    private Path library() {
        try {
            return ProfilerLibrary.in(HomeFolders.ours().cache());
        } catch (IOException | HomeFolders.Homeless e) {
            notes.add(String.valueOf(e.getMessage()));
            return Path.of("");
        }
    }

    private void failed(String name, String why) {
        notes.add("no profile of " + name + ": " + why);
    }

    @Override
    public synchronized void begin() {
        each((name, profiler) -> profiler.start(wall));
    }

    @Override
    public synchronized void end(Instant from, Instant to) {
        this.from = from;
        this.to = to;
        each((name, profiler) -> profiler.stop(wall.get()));
    }

    /** Acts on all at once; a profiler that fails or is silent is skipped from then on and closed when it answers. */
    private void each(Act act) {
        SortedMap<String, Asked<JvmProfiler>> asked = new TreeMap<>();
        profilers.forEach((name, profiler) ->
                asked.put(name, ask(name, () -> done(act, name, profiler), JvmProfiler::close)));
        SortedMap<String, JvmProfiler> answered = answers(asked);
        profilers.clear();
        profilers.putAll(answered);
    }

    private static JvmProfiler done(Act act, String name, JvmProfiler profiler) throws IOException {
        try {
            act.on(name, profiler);
            return profiler;
        } catch (IOException | RuntimeException e) {
            profiler.close();
            throw e;
        }
    }

    @Override
    public synchronized List<ProfileResult> profiles() {
        List<ProfileResult> results = new ArrayList<>();
        profilers.forEach((name, profiler) -> {
            try {
                for (Profile profile : profiler.profiles(from, to)) {
                    results.add(written(name, profile));
                }
            } catch (IOException e) {
                failed(name, String.valueOf(e.getMessage()));
            }
        });
        return results;
    }

    private ProfileResult written(String name, Profile profile) {
        ProfileResult result = new ProfileResult(
                name,
                profile.event(),
                profile.tool(),
                profile.engine(),
                profile.kernel(),
                profile.biased(),
                profile.stacks().samples(),
                profile.stacks().total(),
                profile.stacks().sample(),
                profile.perUnit(),
                profile.seconds());
        ProfiledTrial.write(folder, result, profile.stacks().counts());
        return result;
    }

    @Override
    public synchronized List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        profilers.forEach((name, profiler) -> profiler.notes().forEach(note -> all.add(name + ": " + note)));
        return all;
    }

    @Override
    public synchronized void close() {
        each((name, profiler) -> profiler.close());
        profilers.clear();
    }
}
