package weir.judge;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.measure.DisturbanceReadings;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.HostFacts;
import weir.results.value.StressResult;
import weir.results.value.StressResult.Effect;
import weir.results.value.StressResult.Taken;

/**
 * A stress, judged by what was asked for, what its processes took, and what the machine felt. Of several machines the amounts are
 * added up, and what they felt is the mean.
 */
record StressJudge(
        ProbeSeries readings, List<String> sources, List<String> machines, double begin, double from, double to) {
    /**
     * Null where the disturbance was none.
     *
     * @param begin of the measured phase
     * @param end of the measured phase
     */
    static @Nullable StressResult of(ProbeSeries readings, DisturbedTime time, double begin, double end) {
        String stress = DisturbanceReadings.ofStress(time.name());
        List<String> sources = readings.sources(stress, DisturbanceReadings.ASKED_MEMORY);
        List<String> machines = sources.stream()
                .map(source -> HostFacts.SOURCE + source.substring(stress.length()))
                .toList();
        return sources.isEmpty()
                ? null
                : new StressJudge(readings, sources, machines, begin, time.from(), Math.min(end, time.to())).judged();
    }

    private StressResult judged() {
        double seconds = to - from;
        Double most = asked(DisturbanceReadings.MOST_WRITTEN);
        Double disk = asked(DisturbanceReadings.ASKED_DISK);
        return new StressResult(
                new Taken(
                        asked(DisturbanceReadings.ASKED_MEMORY),
                        sum(source -> readings.max(source, DisturbanceReadings.MEMORY, from, to))),
                new Taken(
                        disk == null || most == null ? disk : Double.valueOf(Math.min(disk, most * seconds)),
                        sum(source -> seconds * readings.mean(source, DisturbanceReadings.WRITTEN, from, to))),
                new Taken(
                        asked(DisturbanceReadings.ASKED_CORES),
                        sum(source -> readings.mean(source, DisturbanceReadings.CORES, from, to))),
                effect("psi.memory.some.percent"),
                effect("disk.busy.percent"),
                effect("faults.major.per.s"));
    }

    private Effect effect(String metric) {
        return new Effect(mean(metric, begin, Math.max(begin, from - 1)), mean(metric, from, to));
    }

    private @Nullable Double mean(String metric, double after, double until) {
        return known(machines.stream()
                .mapToDouble(machine -> readings.mean(machine, metric, after, until))
                .filter(value -> !Double.isNaN(value))
                .average()
                .orElse(Double.NaN));
    }

    private @Nullable Double asked(String metric) {
        return sum(source -> readings.last(source, metric, 0, Double.MAX_VALUE));
    }

    /** An amount of all machines; null when it is known of none. */
    private @Nullable Double sum(ToDoubleFunction<String> ofSource) {
        double[] known = sources.stream()
                .mapToDouble(ofSource)
                .filter(value -> !Double.isNaN(value))
                .toArray();
        return known.length == 0 ? null : Double.valueOf(DoubleStream.of(known).sum());
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : value;
    }
}
