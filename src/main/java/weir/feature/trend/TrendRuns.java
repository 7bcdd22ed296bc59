package weir.feature.trend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import weir.judge.ComparisonKey;
import weir.results.IncomparableRunsException;
import weir.results.RequestedExperiment;
import weir.results.RunState;

/** The runs of an experiment that form one series: the newest run and all comparable runs, ordered by time. */
final class TrendRuns {
    private final Map<String, List<HistoryEntry>> leftOut = new LinkedHashMap<>();
    private final List<HistoryEntry> runs;
    private final HistoryEntry newest;
    private final HistoryEntry last;
    private final List<String> names;

    TrendRuns(String name, List<HistoryEntry> all) {
        List<HistoryEntry> named = named(name, all);
        String invalid = RunState.INVALID.word();
        String unfinished = RunState.UNFINISHED.word();
        List<HistoryEntry> fit = without(
                named,
                List.of(invalid, unfinished, "without a figure"),
                run -> List.of(invalid, unfinished).contains(run.state())
                        ? run.state()
                        : run.figures().isEmpty() ? "without a figure" : "");
        if (fit.isEmpty()) {
            throw new IncomparableRunsException("'" + name + "': none of its runs has a usable figure"
                    + leftOut().stream().map(line -> "; " + line).collect(Collectors.joining()));
        }
        last = named.get(named.size() - 1);
        names = named.stream().map(HistoryEntry::run).toList();
        newest = fit.get(fit.size() - 1);
        String form = newest.shortened() ? "without --short, unlike the newest" : "with --short, unlike the newest";
        runs = without(fit, List.of(form), run -> run.shortened() != newest.shortened() ? form : otherMachine(run));
    }

    private List<HistoryEntry> without(
            List<HistoryEntry> some, List<String> order, Function<HistoryEntry, String> reason) {
        order.forEach(why -> leftOut.put(why, new ArrayList<>()));
        return some.stream()
                .filter(run -> {
                    String why = reason.apply(run);
                    if (!why.isEmpty()) {
                        leftOut.computeIfAbsent(why, none -> new ArrayList<>()).add(run);
                    }
                    return why.isEmpty();
                })
                .toList();
    }

    List<HistoryEntry> all() {
        return runs;
    }

    HistoryEntry newest() {
        return newest;
    }

    List<String> names() {
        return names;
    }

    Set<String> variants() {
        Set<String> variants = new LinkedHashSet<>();
        for (int i = runs.size() - 1; i >= 0; i--) {
            variants.addAll(runs.get(i).figures().keySet());
        }
        return variants;
    }

    List<String> leftOut() {
        List<String> lines = new ArrayList<>();
        leftOut.forEach((why, some) -> {
            if (!some.isEmpty()) {
                String newestOfThem = some.get(some.size() - 1).run();
                lines.add(
                        some.size() == 1
                                ? newestOfThem + ", " + why
                                : some.size() + " runs " + why + ", the last of them " + newestOfThem);
            }
        });
        return lines;
    }

    String missingFigures() {
        return last.equals(newest)
                ? ""
                : "the last run is excluded: " + last.run()
                        + (last.figures().isEmpty() ? " has no figure" : " is " + last.state());
    }

    private static List<HistoryEntry> named(String name, List<HistoryEntry> all) {
        List<HistoryEntry> named = new ArrayList<>();
        Set<String> known = new LinkedHashSet<>();
        for (HistoryEntry summary : all) {
            if (summary.name().equals(name)
                    && !replaced(summary, all)
                    && known.add(summary.run() + " " + summary.startedAt())) {
                named.add(summary);
            }
        }
        // Names of runs begin with their time.
        named.sort(Comparator.comparing(HistoryEntry::run).thenComparing(HistoryEntry::startedAt));
        return named;
    }

    /** True for a run that was stored before the end of its first trial, and again after it was resumed. */
    private static boolean replaced(HistoryEntry run, List<HistoryEntry> all) {
        return run.startedAt().isEmpty()
                && all.stream()
                        .anyMatch(other -> other.run().equals(run.run())
                                && !other.startedAt().isEmpty());
    }

    private String otherMachine(HistoryEntry run) {
        String other = changes(ComparisonKey.of(run.machine()), ComparisonKey.of(newest.machine()));
        return other.isEmpty() ? "" : "on another machine, where " + other;
    }

    private static String changes(ComparisonKey then, ComparisonKey now) {
        return then.differences(now).stream()
                .map(one -> one.name() + " was '" + one.one() + "' and is now '" + one.other() + "'")
                .collect(Collectors.joining(", "));
    }

    private HistoryEntry lastAsking(String variant) {
        return runs.stream()
                .filter(run ->
                        run.variants().stream().anyMatch(one -> one.name().equals(variant)))
                .reduce((earlier, later) -> later)
                .orElse(newest);
    }

    List<Integer> asking(String variant) {
        ComparisonKey now = key(lastAsking(variant), variant);
        List<HistoryEntry> measured =
                runs.stream().filter(run -> run.figures().containsKey(variant)).toList();
        return without(measured, List.of(), run -> {
                    String other = changes(key(run, variant), now);
                    return other.isEmpty() ? "" : "with other settings of '" + variant + "': " + other;
                })
                .stream()
                .map(runs::indexOf)
                .toList();
    }

    private static ComparisonKey key(HistoryEntry run, String variant) {
        return ComparisonKey.of(run.shortened(), asked(run, variant), run.machine());
    }

    static RequestedExperiment.Variant asked(HistoryEntry run, String variant) {
        return run.variants().stream()
                .filter(one -> one.name().equals(variant))
                .findFirst()
                .orElseThrow(() -> new IncomparableRunsException(run.run() + " has figures of '" + variant
                        + "' without the settings of the variant; its summary was edited, so delete it"));
    }
}
