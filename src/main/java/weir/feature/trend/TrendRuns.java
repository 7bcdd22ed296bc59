package weir.feature.trend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.RunComparisons;
import weir.judge.RunDifferences;
import weir.results.IncomparableRunsException;
import weir.results.RequestedExperiment;
import weir.results.RunState;

/** The runs of an experiment that form one series: those like the newest, ordered by time. */
final class TrendRuns {
    private final List<String> leftOut = new ArrayList<>();
    private final List<HistoryEntry> runs;
    private final HistoryEntry newest;
    private final HistoryEntry last;
    private final List<String> names;

    TrendRuns(String name, List<HistoryEntry> all) {
        List<HistoryEntry> named = named(name, all);
        List<HistoryEntry> fit = fit(named);
        if (fit.isEmpty()) {
            throw new IncomparableRunsException("'" + name + "': none of its runs has a figure that can be used"
                    + leftOut.stream().map(line -> "; " + line).collect(Collectors.joining()));
        }
        last = named.get(named.size() - 1);
        names = named.stream().map(HistoryEntry::run).toList();
        newest = fit.get(fit.size() - 1);
        runs = like(fit);
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
        return leftOut;
    }

    String unheard() {
        return last.equals(newest)
                ? ""
                : "the last run says nothing: " + last.run()
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

    /** True for a run that was stored before its first trial had ended, and again after it went on. */
    private static boolean replaced(HistoryEntry run, List<HistoryEntry> all) {
        return run.startedAt().isEmpty()
                && all.stream()
                        .anyMatch(other -> other.run().equals(run.run())
                                && !other.startedAt().isEmpty());
    }

    private List<HistoryEntry> fit(List<HistoryEntry> named) {
        List<HistoryEntry> invalid = new ArrayList<>();
        List<HistoryEntry> unfinished = new ArrayList<>();
        List<HistoryEntry> empty = new ArrayList<>();
        List<HistoryEntry> fit = new ArrayList<>();
        for (HistoryEntry run : named) {
            (run.state().equals(RunState.INVALID.word())
                            ? invalid
                            : run.state().equals(RunState.UNFINISHED.word())
                                    ? unfinished
                                    : run.figures().isEmpty() ? empty : fit)
                    .add(run);
        }
        leaveOut(invalid, "invalid");
        leaveOut(unfinished, "unfinished");
        leaveOut(empty, "without a figure");
        return fit;
    }

    private List<HistoryEntry> like(List<HistoryEntry> fit) {
        List<HistoryEntry> like = new ArrayList<>();
        List<HistoryEntry> otherForm = new ArrayList<>();
        Map<String, List<HistoryEntry>> elsewhere = new LinkedHashMap<>();
        for (HistoryEntry run : fit) {
            String other = otherMachine(run);
            if (run.shortened() != newest.shortened()) {
                otherForm.add(run);
            } else if (other.isEmpty()) {
                like.add(run);
            } else {
                elsewhere.computeIfAbsent(other, key -> new ArrayList<>()).add(run);
            }
        }
        leaveOut(
                otherForm,
                newest.shortened() ? "without --short, as the newest was not" : "with --short, as the newest was not");
        elsewhere.forEach((other, list) -> leaveOut(list, "on another machine, where " + other));
        return like;
    }

    private String otherMachine(HistoryEntry run) {
        Stream<String> facts = RunDifferences.ofMachines(run.machine(), newest.machine()).stream()
                .map(one -> was(one.name(), one.values().get(0), one.values().get(1)));
        Stream<String> hosts = Stream.of(was("hosts", hosts(run), hosts(newest)))
                .filter(text -> !hosts(run).equals(hosts(newest)));
        return Stream.concat(facts, hosts).collect(Collectors.joining(", "));
    }

    private static String was(String name, String then, String now) {
        return name + " was '" + then + "' and is '" + now + "' now";
    }

    private static String hosts(HistoryEntry run) {
        return run.machine().hosts().stream()
                .filter(host -> !host.here())
                .map(host -> host.name() + " with " + host.processors() + " processors")
                .collect(Collectors.joining(", "));
    }

    private HistoryEntry lastAsking(String variant) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            HistoryEntry run = runs.get(i);
            if (run.variants().stream().anyMatch(one -> one.name().equals(variant))) {
                return run;
            }
        }
        return newest;
    }

    List<Integer> asking(String variant) {
        Map<String, String> now = RunComparisons.question(asked(lastAsking(variant), variant));
        List<Integer> asking = new ArrayList<>();
        Map<String, List<HistoryEntry>> others = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            HistoryEntry run = runs.get(i);
            if (run.figures().containsKey(variant)) {
                Map<String, String> then = RunComparisons.question(asked(run, variant));
                String other = now.keySet().stream()
                        .filter(path -> !Objects.equals(then.get(path), now.get(path)))
                        .map(path -> was(path, String.valueOf(then.get(path)), String.valueOf(now.get(path))))
                        .collect(Collectors.joining(", "));
                if (other.isEmpty()) {
                    asking.add(i);
                } else {
                    others.computeIfAbsent(other, key -> new ArrayList<>()).add(run);
                }
            }
        }
        others.forEach((other, list) -> leaveOut(list, "in which '" + variant + "' was another question: " + other));
        return asking;
    }

    static RequestedExperiment.Variant asked(HistoryEntry run, String variant) {
        return run.variants().stream()
                .filter(one -> one.name().equals(variant))
                .findFirst()
                .orElseThrow(() -> new IncomparableRunsException(run.run() + " has figures of '" + variant
                        + "' and not its settings: its summary was changed by hand; delete it"));
    }

    private void leaveOut(List<HistoryEntry> some, String why) {
        if (!some.isEmpty()) {
            leftOut.add(
                    some.size() == 1
                            ? some.get(0).run() + ", " + why
                            : some.size() + " runs " + why + ", the last of them "
                                    + some.get(some.size() - 1).run());
        }
    }
}
