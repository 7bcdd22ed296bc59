package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.results.PlannedTrial;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.Event;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;

/**
 * The files of a trial's folder that the judgement needs.
 *
 * @param end the end of the trial; Weir computes the end of a killed trial from its windows
 * @param readings the readings of the probes, except readings of single requests
 */
public record TrialFiles(
        TrialFolder folder,
        TrialConditions conditions,
        TrialEnd end,
        List<WindowRow> windows,
        TrialSeries series,
        SortedMap<Integer, Numbers> numbers,
        ProbeSeries readings) {
    public static TrialFiles of(TrialFolder folder) {
        TrialEnd end = folder.end();
        List<WindowRow> windows = folder.windows();
        TrialSeries series = new TrialSeries();
        windows.forEach(series::add);
        folder.counts((second, part, counts) -> series.add(part.step(), second, counts));
        return new TrialFiles(
                folder,
                folder.conditions(),
                end == null ? TruncatedTrial.end(folder) : end,
                windows,
                series,
                folder.numbers(),
                ProbeSeries.of(folder, (source, metric) -> !metric.startsWith("request.")));
    }

    public PlannedTrial plan() {
        return folder.started().plan();
    }

    public Numbers of(int step) {
        return numbers.getOrDefault(step, new Numbers());
    }

    public Numbers from(int step) {
        return numbers.tailMap(step).values().stream().reduce(new Numbers(), Numbers::plus);
    }

    /**
     * The end of a killed trial, computed from its windows and events. A step lasts from the first to the last window
     * in which one of its messages was due or came. Pauses between steps and the drain do not count.
     */
    static final class TruncatedTrial {
        private TruncatedTrial() {}

        static TrialEnd end(TrialFolder folder) {
            SortedMap<Integer, SortedSet<Double>> ran = new TreeMap<>();
            folder.counts((second, part, counts) -> {
                if (counts.due() + counts.count(Count.ACKED_DURING) + counts.count(Count.RECEIVED_DURING) > 0) {
                    ran.computeIfAbsent(part.step(), first -> new TreeSet<>()).add(second);
                }
            });
            List<Event> events = folder.events();
            List<TrialEnd.Step> steps = new ArrayList<>();
            ran.tailMap(Steps.MEASURE).forEach((step, seconds) -> {
                double from = seconds.first();
                double to = seconds.last() + 1;
                steps.add(new TrialEnd.Step(step, label(step, from, events), from, to, to - from, null));
            });
            SortedSet<Double> warmUp = ran.getOrDefault(Steps.WARMUP, new TreeSet<>());
            return new TrialEnd(
                    folder.started().startedAt(),
                    new TrialEnd.WarmedUp(warmUp.isEmpty() ? 0 : warmUp.last() + 1 - warmUp.first(), true),
                    new TrialEnd.Measured(
                            steps.isEmpty() ? 0 : steps.get(0).from(),
                            steps.isEmpty() ? 0 : steps.get(steps.size() - 1).to(),
                            steps,
                            null,
                            null,
                            null,
                            List.of(),
                            List.of()),
                    new TrialEnd.Generator(null, null, new TreeMap<>()),
                    first(events, event -> event.name().equals(Event.FAILED), ""),
                    folder.conditions().properties(),
                    new TrialEnd.Clocks(0, 0));
        }

        private static String label(int step, double from, List<Event> events) {
            return first(
                    events,
                    event -> event.name().equals(Event.STEP) && Math.abs(event.second() - from) < 1.5,
                    "step " + (step - Steps.MEASURE + 1));
        }

        private static String first(List<Event> events, Predicate<Event> which, String otherwise) {
            return events.stream().filter(which).map(Event::text).findFirst().orElse(otherwise);
        }
    }
}
