package weir.feature.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weir.host.HomeFolders;
import weir.io.Io;
import weir.time.DaemonThreads;

final class JvmProfilers implements TrialProfiles.Profilers {
    /** A busy JVM answers in milliseconds. A slower JVM is paused or never answers. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final SortedMap<String, JvmProfiler> profilers = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Duration timeout;
    private final Supplier<Instant> wall;
    private Instant from = Instant.EPOCH;
    private Instant to = Instant.EPOCH;

    private interface ProfilerAction {
        void on(JvmProfiler profiler) throws IOException;
    }

    private JvmProfilers(Supplier<Instant> wall, Duration timeout) {
        this.timeout = timeout;
        this.wall = wall;
    }

    static JvmProfilers attach(
            SortedMap<String, Long> jvms,
            List<ProfileSpec.Event> events,
            Path folder,
            Supplier<Instant> wall,
            Duration timeout) {
        JvmProfilers all = new JvmProfilers(wall, timeout);
        Path library = all.library();
        SortedMap<String, CompletableFuture<JvmProfiler>> asked = new TreeMap<>();
        jvms.forEach((name, pid) -> asked.put(
                name, all.ask(name, () -> JvmProfiler.attach(pid, events, folder, library), JvmProfiler::close)));
        all.profilers.putAll(all.answers(asked));
        return all;
    }

    /**
     * Calls the profiler on a separate thread, because a paused JVM does not answer and the run must not wait. An
     * answer counts only before the time limit.
     */
    private <T> CompletableFuture<T> ask(String name, Io.Reading<T> question, Consumer<T> tooLate) {
        CompletableFuture<T> answer = new CompletableFuture<T>().orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
        DaemonThreads.start("weir-profiler-" + name, () -> {
            try {
                T given = question.read();
                if (!answer.complete(given)) {
                    tooLate.accept(given);
                }
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private <T> SortedMap<String, T> answers(SortedMap<String, CompletableFuture<T>> asked) {
        SortedMap<String, T> answers = new TreeMap<>();
        asked.forEach((name, answer) -> {
            try {
                answers.put(name, answer.get());
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                failed(
                        name,
                        cause instanceof TimeoutException
                                ? "it did not answer within " + timeout.toMillis() + " ms"
                                : String.valueOf(cause.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed(name, "the wait for its profiler was interrupted");
            }
        });
        return answers;
    }

    private Path library() {
        try {
            return ProfilerLibrary.in(HomeFolders.ofThisUser().cache());
        } catch (IOException | HomeFolders.NoHomeFolder e) {
            notes.add(String.valueOf(e.getMessage()));
            return Path.of("");
        }
    }

    private void failed(String name, String why) {
        notes.add("no profile of " + name + ": " + why);
    }

    @Override
    public synchronized void begin() {
        each(profiler -> profiler.start(wall));
    }

    @Override
    public synchronized void end(Instant from, Instant to) {
        this.from = from;
        this.to = to;
        each(profiler -> profiler.stop(wall.get()));
    }

    private void each(ProfilerAction act) {
        SortedMap<String, CompletableFuture<JvmProfiler>> asked = new TreeMap<>();
        profilers.forEach((name, profiler) ->
                asked.put(name, ask(name, () -> done(act, profiler), JvmProfiler::close)));
        SortedMap<String, JvmProfiler> answered = answers(asked);
        profilers.clear();
        profilers.putAll(answered);
    }

    private static JvmProfiler done(ProfilerAction act, JvmProfiler profiler) throws IOException {
        try {
            act.on(profiler);
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
                results.addAll(profiler.profiles(name, from, to));
            } catch (IOException e) {
                failed(name, String.valueOf(e.getMessage()));
            }
        });
        return results;
    }

    @Override
    public synchronized List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        profilers.forEach((name, profiler) -> profiler.notes().forEach(note -> all.add(name + ": " + note)));
        return all;
    }

    @Override
    public synchronized void close() {
        each(JvmProfiler::close);
        profilers.clear();
    }
}
