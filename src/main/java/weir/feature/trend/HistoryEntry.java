package weir.feature.trend;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.ResultJson;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunState;
import weir.results.UnreadableRunException;

/**
 * The part of a run that a trend needs: its figures, and everything that may explain why they changed. It has some
 * kilobytes, and outlives the folder of its run in a {@link History}.
 *
 * @param run the name of its folder
 * @param startedAt the time of its first trial, in ISO-8601; empty where it had none
 * @param state the {@link weir.results.RunState#word}
 * @param machine its facts, and the properties that the user chose
 * @param variants those that were asked for, with all their settings
 * @param figures of each trial, by variant and metric, the primary metric of a variant first
 */
public record HistoryEntry(
        int version,
        String run,
        String name,
        String startedAt,
        String state,
        boolean shortened,
        String weir,
        SortedMap<String, String> labels,
        Machine machine,
        CanaryResults canaries,
        List<RequestedExperiment.Variant> variants,
        Map<String, Map<String, List<Double>>> figures) {
    public static final int VERSION = 1;

    private static final Pattern RUN = Pattern.compile(RunFolder.NAME);

    public HistoryEntry {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        variants = List.copyOf(variants);
        Map<String, Map<String, List<Double>>> copy = new LinkedHashMap<>();
        figures.forEach((variant, metrics) -> {
            Map<String, List<Double>> own = new LinkedHashMap<>();
            metrics.forEach((metric, values) -> own.put(metric, List.copyOf(values)));
            copy.put(variant, Collections.unmodifiableMap(own));
        });
        figures = Collections.unmodifiableMap(copy);
        check(run, name, state, labels, figures);
    }

    private static void check(
            String run,
            String name,
            String state,
            SortedMap<String, String> labels,
            Map<String, Map<String, List<Double>>> figures) {
        if (!names(run, name)) {
            throw new IllegalArgumentException("'" + run + "' is no run of '" + name + "'");
        }
        if (Stream.of(RunState.values()).noneMatch(known -> known.word().equals(state))) {
            throw new IllegalArgumentException("'" + state + "' is no state of a run");
        }
        RunLabels unused = new RunLabels(labels);
        figures.forEach((variant, metrics) -> {
            if (metrics.isEmpty()) {
                throw new IllegalArgumentException("'" + variant + "' has no figure");
            }
            metrics.forEach((metric, values) -> {
                if (values.isEmpty() || values.stream().anyMatch(value -> !(value > 0) || value.isInfinite())) {
                    throw new IllegalArgumentException(
                            "the figures of " + metric + " are above 0, one for each trial, got " + values);
                }
            });
        });
    }

    public static HistoryEntry read(Path file) {
        HistoryEntry summary = ResultJson.read(file, HistoryEntry.class);
        if (summary.version != VERSION) {
            throw new UnreadableRunException(file + ": has version " + summary.version
                    + ", and this Weir reads version " + VERSION + "; use the Weir that wrote it");
        }
        return summary;
    }

    public static boolean names(String run, String experiment) {
        return RUN.matcher(run).matches() && run.endsWith("-" + experiment);
    }

    public String toJson() {
        return ResultJson.line(this);
    }

    /** Identifies a run however often it is resumed, and differs for a run that began in the same second elsewhere. */
    String identity() {
        return identity(startedAt);
    }

    String earlierIdentity() {
        return identity("");
    }

    private String identity(String started) {
        byte[] own = (run + " " + started).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(own).toString().substring(0, 8);
    }
}
