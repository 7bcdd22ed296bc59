package weir.results;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.io.Io;
import weir.measure.ProbeMetric;
import weir.plan.trial.Trial;
import weir.results.value.CapacityResult;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchResult;

/** The folder of one run of an experiment: {@code runs/<time>-<name>/}. */
public final class RunFolder {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** A regular expression of run names: the first group is the time, the second the experiment's name. */
    public static final String NAME = "(\\d{8}-\\d{6}(?:\\.\\d+)?)-([a-z0-9][a-z0-9-]*)";

    private static final Pattern FOLDER = Pattern.compile(NAME);
    private static final Pattern EARLIER = Pattern.compile("(.+)~(\\d{1,4})");
    private static final long MAX_EXPERIMENT = 16L << 20;

    private static final String ASKED = "experiment.json";
    private static final String MACHINE = "machine.json";
    private static final String PROBES = "probes.json";
    private static final String CANARIES = "canaries.json";
    private static final String LABELS = "labels.json";
    private static final String SUMMARY = "summary.json";
    private static final String CONCLUSION = "conclusion.json";
    private static final String FAILURE = "failure.txt";
    private static final String SEARCHES = "searches.json";
    private static final String SEARCHED = "search";

    private static final String PROFILED = "profile";

    private static final Set<String> BEFORE_MEASURING =
            Set.of("experiment.yaml", ASKED, LABELS, MACHINE, PROBES, CANARIES, "trials");

    private final Path path;
    private final String name;

    private RunFolder(Path path, String name) {
        this.path = path;
        this.name = name;
    }

    /**
     * Creates a folder for a run that starts now, with the experiment's own text and its resolved form. {@code before}
     * receives each path before its creation, even if the path is taken.
     */
    public static RunFolder create(
            Path root, Instant now, String experimentYaml, RequestedExperiment asked, Consumer<Path> before) {
        return Io.attempt("creating a run folder in " + root, () -> {
            Files.createDirectories(root);
            Path path = fresh(root, TIME.format(now), asked.name(), before);
            RunFolder folder = new RunFolder(path, asked.name());
            folder.put("experiment.yaml", experimentYaml);
            folder.store(ASKED, asked);
            return folder;
        });
    }

    // Two runs may start in the same second.
    private static Path fresh(Path root, String time, String name, Consumer<Path> before) throws IOException {
        for (int attempt = 0; ; attempt++) {
            Path path = root.resolve(time + (attempt == 0 ? "" : "." + attempt) + "-" + name);
            if (Files.exists(path)) {
                continue;
            }
            before.accept(path);
            try {
                Files.createDirectory(path, Io.OWN_FOLDER);
            } catch (FileAlreadyExistsException taken) {
                continue;
            }
            Files.createDirectory(path.resolve("trials"));
            return path;
        }
    }

    /** Opens the run in this folder; throws {@link UnreadableRunException} if the folder is not a run. */
    public static RunFolder open(Path path) {
        if (!Files.isDirectory(path)) {
            throw new UnreadableRunException(
                    path + ": is not a folder; give the folder of a run; 'weir runs' lists them");
        }
        if (!Files.isRegularFile(path.resolve(ASKED))) {
            throw new UnreadableRunException(
                    path + ": has no " + ASKED + ", so it is not a run folder; 'weir runs' lists them");
        }
        return new RunFolder(
                path,
                ResultJson.read(path.resolve(ASKED), RequestedExperiment.class).name());
    }

    public static List<RunFolder> list(Path root) {
        return named(root, folder -> Files.isRegularFile(folder.resolve(ASKED))).stream()
                .sorted(Comparator.reverseOrder())
                .map(folder -> new RunFolder(
                        folder, FOLDER.matcher(folder.getFileName().toString()).replaceFirst("$2")))
                .toList();
    }

    private static List<Path> named(Path root, Predicate<Path> wanted) {
        return !Files.isDirectory(root)
                ? List.of()
                : RunFiles.list(
                        root,
                        folder ->
                                FOLDER.matcher(folder.getFileName().toString()).matches() && wanted.test(folder));
    }

    /** The folders of unfinished runs below {@code root}, with neither a conclusion nor a recorded failure. */
    public static List<Path> unconcluded(Path root) {
        return named(
                root,
                folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.notExists(folder.resolve(CONCLUSION))
                        && !failedBeforeMeasuring(folder));
    }

    /** True if the folder contains only files that a run writes before it measures. */
    public static boolean isEmpty(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.allMatch(file -> file.equals(folder) || isBeforeMeasuring(folder.relativize(file)));
        } catch (UncheckedIOException | IOException e) {
            if (e instanceof NoSuchFileException || e.getCause() instanceof NoSuchFileException) {
                // Another process has just deleted the folder.
                return true;
            }
            throw new UnreadableRunException(folder + ": cannot be read: " + e.getMessage());
        }
    }

    private static boolean isBeforeMeasuring(Path file) {
        String name = file.toString();
        return BEFORE_MEASURING.contains(name)
                || (name.endsWith(".part") && BEFORE_MEASURING.contains(name.substring(0, name.length() - 5)))
                || (file.getNameCount() == 1 && name.startsWith("canary-") && name.endsWith(".bin"));
    }

    private static boolean failedBeforeMeasuring(Path folder) {
        return Files.exists(folder.resolve(FAILURE))
                && Files.isRegularFile(folder.resolve(ASKED))
                && !new RunFolder(folder, "").measured();
    }

    /** Finds a run with measurements by folder, by name (its newest run) or by {@code name~1} (the run before). */
    public static RunFolder resolve(Path root, String run) {
        return resolve(root, run, RunFolder::measured);
    }

    public static RunFolder resolveUnfinished(Path root, String run) {
        return resolve(root, run, folder -> true);
    }

    private static RunFolder resolve(Path root, String run, Predicate<RunFolder> counts) {
        if (run.contains("/") || Files.isDirectory(Path.of(run))) {
            return open(Path.of(run));
        }
        if (Files.isDirectory(root.resolve(run))) {
            return open(root.resolve(run));
        }
        Matcher earlier = EARLIER.matcher(run);
        String name = earlier.matches() ? earlier.group(1) : run;
        int back = earlier.matches() ? Integer.parseInt(earlier.group(2)) : 0;
        List<RunFolder> all = list(root);
        List<RunFolder> named =
                all.stream().filter(folder -> folder.name().equals(name)).toList();
        List<RunFolder> counted = named.stream().filter(counts).limit(back + 1L).toList();
        if (back < counted.size()) {
            return open(counted.get(back).path());
        }
        String known = String.join(
                ", ", all.stream().map(RunFolder::name).distinct().limit(10).toList());
        throw new UnreadableRunException(
                named.isEmpty()
                        ? String.format(
                                "'%s': no run has this name in %s; there %s",
                                run, root, known.isEmpty() ? "are none" : "are: " + known)
                        : String.format(
                                "'%s': there are only %d runs of '%s' in %s with measured figures",
                                run, counted.size(), name, root));
    }

    public boolean measured() {
        return Stream.of("trials", SEARCHED)
                .map(path::resolve)
                .filter(Files::isDirectory)
                .anyMatch(folder -> trials(folder).stream().anyMatch(TrialFolder::measured));
    }

    public void failed(String trace) {
        put(FAILURE, trace);
    }

    public Path failure() {
        return path.resolve(FAILURE);
    }

    /** Returns the time in the name of a run; throws {@link DateTimeException} for a wrong time. */
    public static Instant time(String run) {
        return TIME.parse(run.substring(0, run.indexOf('-') + 7), Instant::from);
    }

    public Path path() {
        return path;
    }

    public String name() {
        return name;
    }

    public List<Path> files() {
        return Stream.of(
                        Stream.of("experiment.yaml", ASKED, MACHINE, PROBES, CANARIES, SEARCHES),
                        Features.each(SearchKind.class).stream().map(RunFolder::file),
                        Stream.of(CONCLUSION, FAILURE))
                .flatMap(Function.identity())
                .map(path::resolve)
                .filter(Files::exists)
                .toList();
    }

    public Path report() {
        return path.resolve("report.html");
    }

    public RequestedExperiment asked() {
        return ResultJson.read(path.resolve(ASKED), RequestedExperiment.class);
    }

    public String experimentYaml() {
        Path file = RunFiles.own(path.resolve("experiment.yaml"));
        return RunFiles.reading(file, () -> {
            if (Files.size(file) > MAX_EXPERIMENT) {
                throw new UnreadableRunException(file + ": is larger than the allowed size of an experiment");
            }
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        });
    }

    private <T> T stored(String name, Class<? extends T> type, T none) {
        Path file = path.resolve(name);
        return Files.exists(file) ? ResultJson.read(file, type) : none;
    }

    private void store(String name, Object value) {
        RunFiles.put(path.resolve(name), value);
    }

    public Machine machine() {
        return stored(MACHINE, Machine.class, new Machine(Map.of(), Map.of(), List.of()));
    }

    public void machine(Machine machine) {
        store(MACHINE, machine);
    }

    public List<ProbeMetric> drawn() {
        return List.of(stored(PROBES, ProbeMetric[].class, new ProbeMetric[0]));
    }

    public void drawn(List<ProbeMetric> metrics) {
        store(PROBES, metrics);
    }

    public CanaryResults canaries() {
        return stored(CANARIES, CanaryResults.class, CanaryResults.NONE);
    }

    public void canaries(CanaryResults canaries) {
        store(CANARIES, canaries);
    }

    public RunLabels labels() {
        return stored(LABELS, RunLabels.class, RunLabels.NONE);
    }

    public void labels(RunLabels labels) {
        store(LABELS, labels);
    }

    public Path summary() {
        return path.resolve(SUMMARY);
    }

    /** True if the summary exists and is not older than the conclusion. */
    public boolean summarised() {
        try {
            return Files.exists(summary())
                    && Files.getLastModifiedTime(summary())
                                    .compareTo(Files.getLastModifiedTime(path.resolve(CONCLUSION)))
                            >= 0;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UnreadableRunException(path + ": cannot be read: " + e.getMessage());
        }
    }

    public TrialWriter trial(Trial trial, Instant now) {
        return Io.attempt("creating a folder in " + path, () -> {
            Path trials = Files.createDirectories(
                    path.resolve(trial.profiled() ? PROFILED : trial.searches() ? SEARCHED : "trials"));
            return TrialWriter.create(trials, trial, now);
        });
    }

    public List<TrialFolder> trials() {
        return trials(path.resolve("trials"));
    }

    public List<TrialFolder> searched() {
        return apart(SEARCHED);
    }

    public List<TrialFolder> profiled() {
        return apart(PROFILED);
    }

    private List<TrialFolder> apart(String name) {
        Path folder = path.resolve(name);
        return Files.exists(folder, LinkOption.NOFOLLOW_LINKS) ? trials(folder) : List.of();
    }

    private static List<TrialFolder> trials(Path folder) {
        return RunFiles.list(
                        RunFiles.ownFolder(folder), trial -> Files.isRegularFile(trial.resolve(TrialFolder.STARTED)))
                .stream()
                .map(TrialFolder::open)
                .toList();
    }

    public void found(SearchResults found) {
        put(SEARCHES, found.capacities());
        Features.each(SearchKind.class).forEach(kind -> put(file(kind), found.of(kind.found())));
    }

    public SearchResults found() {
        List<SearchResult> all = new ArrayList<>();
        all.addAll(List.of(stored(SEARCHES, CapacityResult[].class, new CapacityResult[0])));
        for (SearchKind kind : Features.each(SearchKind.class)) {
            SearchResult[] none = (SearchResult[]) Array.newInstance(kind.found(), 0);
            all.addAll(List.of(stored(file(kind), none.getClass(), none)));
        }
        return new SearchResults(all);
    }

    private static String file(SearchKind kind) {
        return kind.answers() + ".json";
    }

    private void put(String file, List<? extends SearchResult> answers) {
        if (!answers.isEmpty()) {
            store(file, answers);
        }
    }

    public void conclude(RunResult result) {
        put(CONCLUSION, result.toJson());
    }

    /** The conclusion; empty for a run that was killed before it wrote the conclusion. */
    public Optional<RunResult> result() {
        Path file = path.resolve(CONCLUSION);
        return Files.exists(file)
                ? Optional.of(ResultJson.read(file, RunResult.class, RunResult::version, RunResult.VERSION))
                : Optional.empty();
    }

    public RunResult concluded() {
        return result().orElseThrow(() -> new UnreadableRunException(
                path + ": this run is unfinished and has no conclusion; to finish it: " + asked().resumed(path)));
    }

    public void put(String file, String text) {
        RunFiles.put(path.resolve(file), text);
    }

    /**
     * Rewrites the logs of brokers and workers line by line, after these processes have ended.
     *
     * @param deleted receives each log that was deleted because the disk was full, and the reason
     */
    public void rewriteLogs(UnaryOperator<String> line, BiConsumer<Path, String> deleted) {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path log : files.filter(file -> file.toString().endsWith(".log"))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                try {
                    rewrite(log, line);
                } catch (IOException e) {
                    String why = UnwritableDisk.reason(e).orElseThrow(() -> e);
                    Files.delete(log);
                    Files.deleteIfExists(RunFiles.part(log));
                    deleted.accept(log, why);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("rewriting the logs in " + path, e);
        }
    }

    private static void rewrite(Path log, UnaryOperator<String> line) throws IOException {
        Path part = RunFiles.part(log);
        Files.deleteIfExists(part);
        boolean changed = false;
        // A log may contain bytes that are not text. With one byte for each character, they stay unchanged.
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1);
                BufferedWriter writer =
                        Files.newBufferedWriter(part, StandardCharsets.ISO_8859_1, StandardOpenOption.CREATE_NEW)) {
            for (String each : (Iterable<String>) lines::iterator) {
                String text = new String(each.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
                String shown = line.apply(text);
                changed |= !shown.equals(text);
                writer.write(
                        shown.equals(text)
                                ? each
                                : new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
                writer.write('\n');
            }
        }
        if (changed) {
            Files.move(part, log, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(part);
        }
    }
}
