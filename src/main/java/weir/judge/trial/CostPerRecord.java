package weir.judge.trial;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.LoadCurve;
import weir.judge.ProbeSeries;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * The work of each kind of process for a record: in the rising steps that were sustained, as beyond them it is spent on what
 * fails; where none was, in all steps.
 */
record CostPerRecord(ProbeSeries readings, List<StepResult> steps) {
    private static final List<String> KINDS = Stream.concat(
                    Stream.of("generator", "broker"), ProbeSeries.BRIDGES.stream())
            .toList();

    private static final double MICROS = 1e6;

    CostPerRecord {
        steps = List.copyOf(steps);
    }

    static CostPerRecord of(ProbeSeries readings, TrialResult judged) {
        Set<Integer> sustained = LoadCurve.of(judged.variant(), List.of(judged)).sustained().stream()
                .map(LoadCurve.Point::step)
                .collect(Collectors.toSet());
        List<StepResult> steps = judged.steps().stream()
                .filter(step -> sustained.contains(step.step()))
                .toList();
        return new CostPerRecord(readings, steps.isEmpty() ? judged.steps() : steps);
    }

    /** Microseconds of CPU by kind; of one kind all processes together. */
    SortedMap<String, Double> cpuMicros() {
        return perRecord("cpu.cores", MICROS);
    }

    /** Bytes of heap by kind; kinds of which nobody tells it are left out. */
    SortedMap<String, Double> allocatedBytes() {
        return perRecord("allocated.bytes.per.s", 1);
    }

    private SortedMap<String, Double> perRecord(String metric, double scale) {
        SortedMap<String, Double> all = new TreeMap<>();
        for (String kind : KINDS) {
            double spent = 0;
            double acked = 0;
            double received = 0;
            for (StepResult step : steps) {
                double to = Math.floor(step.from() + step.seconds());
                double perSecond = readings.meanOfSums(kind, metric, step.from(), to);
                if (!Double.isNaN(perSecond)) {
                    spent += perSecond * step.seconds();
                    acked += step.seconds() * step.figures().orZero(RateKind.ACKED);
                    received += step.seconds() * step.figures().orZero(RateKind.RECEIVED);
                }
            }
            // A record may be acked in one step and received in the next, so the larger sum counts, not the larger
            // figure of each step.
            double records = Math.max(acked, received);
            if (records > 0) {
                all.put(kind, spent * scale / records);
            }
        }
        return all;
    }
}
