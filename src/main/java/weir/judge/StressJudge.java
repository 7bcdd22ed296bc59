package weir.judge;

import org.jspecify.annotations.Nullable;
import weir.measure.DisturbanceReadings;
import weir.results.value.DisturbedTime;
import weir.results.value.StressResult;
import weir.results.value.StressResult.Effect;
import weir.results.value.StressResult.Taken;

/** A stress of the machine, judged by what was asked for, what its processes took, and what the machine felt. */
record StressJudge(ProbeSeries readings, String source, double begin, double from, double to) {
    /**
     * Null where the disturbance was none.
     *
     * @param begin of the measured phase
     * @param end of the measured phase
     */
    static @Nullable StressResult of(ProbeSeries readings, DisturbedTime time, double begin, double end) {
        String source = DisturbanceReadings.ofStress(time.name());
        StressJudge judge = new StressJudge(readings, source, begin, time.from(), Math.min(end, time.to()));
        return judge.asked(DisturbanceReadings.ASKED_MEMORY) == null ? null : judge.judged();
    }

    private StressResult judged() {
        double seconds = to - from;
        Double most = asked(DisturbanceReadings.MOST_WRITTEN);
        Double disk = asked(DisturbanceReadings.ASKED_DISK);
        return new StressResult(
                new Taken(
                        asked(DisturbanceReadings.ASKED_MEMORY),
                        known(readings.max(source, DisturbanceReadings.MEMORY, from, to))),
                new Taken(
                        disk == null || most == null ? disk : Double.valueOf(Math.min(disk, most * seconds)),
                        known(seconds * readings.mean(source, DisturbanceReadings.WRITTEN, from, to))),
                new Taken(
                        asked(DisturbanceReadings.ASKED_CORES),
                        known(readings.mean(source, DisturbanceReadings.CORES, from, to))),
                effect("psi.memory.some.percent"),
                effect("disk.busy.percent"),
                effect("faults.major.per.s"));
    }

    private Effect effect(String metric) {
        return new Effect(
                known(readings.mean("host", metric, begin, Math.max(begin, from - 1))),
                known(readings.mean("host", metric, from, to)));
    }

    private @Nullable Double asked(String metric) {
        return known(readings.last(source, metric, 0, Double.MAX_VALUE));
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : value;
    }
}
