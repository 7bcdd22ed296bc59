package weir.feature.publish;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import weir.cli.WeirVersion;
import weir.feature.publish.PublishedFolder.About;
import weir.judge.trial.JudgedTrial;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.results.JsonComparison;
import weir.results.JsonComparison.Difference;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.WindowRow;
import weir.results.WindowRow.Spread;
import weir.run.RunJudge;

/**
 * The check of one published folder: its checksums, and every figure, verdict and interval, which Weir computes from the
 * raw files again.
 */
final class Verification {
    /** The names of the run and of its report, which depend on the machine. */
    private static final Set<String> PLACES = Set.of("run", "report");
    /** CSV files have six decimal places. */
    private static final double HALF = 0.500_001e-6;

    private final PublishedFolder published;
    private final List<String> differences = new ArrayList<>();
    private long figures;
    private int trials;

    private Verification(PublishedFolder published) {
        this.published = published;
    }

    /**
     * Checks a folder; throws {@link UnreadableRunException} if it is not a published result, or if it has a newer
     * format.
     */
    static Verification of(Path path) {
        PublishedFolder published = new PublishedFolder(path);
        Verification verification = new Verification(published);
        boolean sealed = Files.exists(path.resolve(PublishedFolder.SUMS));
        if (sealed) {
            published.differences().forEach(one -> verification.add("", one));
        }
        boolean changed = !verification.differences.isEmpty();
        try {
            About about = published.about();
            if (!sealed) {
                verification.add("", new Difference(PublishedFolder.SUMS, "no such file", "a file"));
            }
            verification.figures(about.weir().equals(WeirVersion.number()));
        } catch (RuntimeException e) {
            // A changed file may be unreadable, and its checksum has shown the change.
            if (!changed) {
                throw e;
            }
        }
        return verification;
    }

    List<String> differences() {
        return List.copyOf(differences);
    }

    String summary() {
        return differences.isEmpty()
                ? String.format(
                        Locale.ROOT,
                        "%s: verified; the checksums of all files are right, and %,d figures and verdicts of %d %s are"
                                + " the same when computed again",
                        published.path(),
                        figures,
                        trials,
                        trials == 1 ? "trial" : "trials")
                : published.path() + ": NOT verified; " + differences.size()
                        + (differences.size() == 1 ? " difference" : " differences");
    }

    private void add(String file, Difference one) {
        String where = file + (file.isEmpty() || one.where().isEmpty() ? "" : ": ") + one.where();
        differences.add(published.path() + "/" + where + ": found " + one.found() + ", expected " + one.expected());
    }

    /** Compares all figures. {@code samePage} is true if this version of Weir wrote the page. */
    private void figures(boolean samePage) {
        RunFolder folder = RunFolder.open(published.path());
        boolean same = folder.asked().weir().equals(WeirVersion.number());
        RunJudge judge = new RunJudge(folder);
        judge.trials().values().forEach(trial -> trial(trial, same));
        RecordedExperiment recorded = RecordedExperiment.of(folder);
        recorded.differences().forEach(one -> add("experiment.json", one));
        RunResult again = judge.judged(recorded.experiment(), recorded.options());
        compare(published.path().resolve("conclusion.json"), again, same, PLACES);
        if (samePage) {
            String page = RunFiles.reading(
                    published.path(), () -> Files.readString(published.path().resolve(PublishedFolder.PAGE)));
            List<String> expected =
                    published.sealed(ResultPage.of(folder)).lines().toList();
            List<String> found = page.lines().toList();
            for (int i = 0; i < Math.max(found.size(), expected.size()); i++) {
                String one = i < found.size() ? found.get(i) : "";
                String other = i < expected.size() ? expected.get(i) : "";
                if (!one.equals(other)) {
                    add(PublishedFolder.PAGE, new Difference("line " + (i + 1), "'" + one + "'", "'" + other + "'"));
                    break;
                }
            }
        }
    }

    private void trial(JudgedTrial trial, boolean same) {
        trials++;
        TrialFolder folder = trial.folder();
        if (folder.finished()) {
            compare(folder.path().resolve("trial.json"), trial.result(), same, Set.of());
            compare(folder.path().resolve("caveats.json"), trial.caveats(), same, Set.of());
        }
        SortedMap<String, Latency> latencies = folder.latencies();
        for (TrialFolder.Point point : folder.spectrum()) {
            Latency latency = latencies.getOrDefault(point.latency(), new Latency());
            number(
                    folder.path().resolve("spectrum.csv"),
                    point.latency() + " percentile " + point.percentile(),
                    point.milliseconds(),
                    latency.spectrum().stream()
                            .filter(one -> Math.abs(one.percentile() - point.percentile()) <= HALF)
                            .mapToDouble(Latency.Point::millis)
                            .findFirst()
                            .orElse(Double.NaN));
        }
        windows(folder);
    }

    private void windows(TrialFolder folder) {
        Map<Double, Map<LatencyKind, Spread>> spreads = folder.spreads(second -> true);
        for (WindowRow row : folder.windows()) {
            row.latencies().forEach((kind, found) -> {
                Spread expected = spreads.getOrDefault(row.second(), Map.of()).getOrDefault(kind, Spread.NONE);
                Path file = folder.path().resolve("windows.csv");
                String where = "second " + row.second() + ", " + kind.word();
                number(file, where + " p50", found.p50(), expected.p50());
                number(file, where + " p99", found.p99(), expected.p99());
                number(file, where + " p999", found.p999(), expected.p999());
                number(file, where + " max", found.max(), expected.max());
            });
        }
    }

    private void number(Path file, String where, double found, double expected) {
        figures++;
        if (!(Math.abs(found - expected) <= HALF)) {
            add(
                    published.path().relativize(file).toString(),
                    new Difference(where, String.valueOf(found), String.valueOf(expected)));
        }
    }

    private void compare(Path file, Object expected, boolean same, Set<String> omitted) {
        String name = published.path().relativize(file).toString();
        figures += JsonComparison.of(file, expected, same, omitted, one -> add(name, one));
    }
}
