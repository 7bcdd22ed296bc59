package weir.judge.trend;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import weir.measure.Canary;
import weir.measure.Welch;
import weir.results.CanaryResults;
import weir.results.value.NumberFormat;

/**
 * The idle speed of the machine in the runs before a change against that in the runs after it, by its benchmarks.
 *
 * @param words each benchmark that changed, with how much
 * @param gain how much faster the machine is by the one that changed most, as a logarithm; 0 where none did
 */
record MachineDrift(List<String> words, double gain) {
    MachineDrift {
        words = List.copyOf(words);
    }

    static MachineDrift between(List<CanaryResults> before, List<CanaryResults> after) {
        List<String> words = new ArrayList<>();
        double most = 0;
        for (Canary work : works(after)) {
            Welch welch = Welch.of(speeds(after, work), speeds(before, work), Welch.STRICT_LEVEL);
            double gain = Math.log(welch.ratio());
            if (welch.fewest() >= ChangePoints.SIDE
                    && welch.p() <= Welch.STRICT_LEVEL
                    && Math.abs(gain) > Math.log(1 + work.least())) {
                words.add(String.format(
                        Locale.ROOT,
                        "%s %s %s",
                        work.name(),
                        NumberFormat.threeDigits(100 * Math.abs(welch.ratio() - 1)) + " %",
                        gain > 0 ? "faster" : "slower"));
                most = Math.abs(gain) > Math.abs(most) ? gain : most;
            }
        }
        return new MachineDrift(words, most);
    }

    /** True when the machine changed the same way as a figure of which this is the logarithm of the gain, and at least half as much. */
    boolean explains(double ofFigure) {
        return gain * ofFigure > 0 && Math.abs(gain) >= Math.abs(ofFigure) / 2;
    }

    private static Stream<Canary> all(CanaryResults results) {
        return Stream.concat(results.before().stream(), results.after().stream());
    }

    private static boolean same(Canary one, Canary other) {
        return one.name().equals(other.name())
                && one.unit().equals(other.unit())
                && one.moreIsBetter() == other.moreIsBetter();
    }

    private static List<Canary> works(List<CanaryResults> runs) {
        List<Canary> works = new ArrayList<>();
        for (Canary canary : (Iterable<Canary>) runs.stream().flatMap(MachineDrift::all)::iterator) {
            if (works.stream().noneMatch(other -> same(other, canary))) {
                works.add(canary);
            }
        }
        return works;
    }

    /** One figure for each run in which this work was done, so that more is better. */
    private static double[] speeds(List<CanaryResults> runs, Canary work) {
        return runs.stream()
                .mapToDouble(run -> Welch.geometricMean(all(run).filter(canary -> same(canary, work))
                        .mapToDouble(canary -> work.moreIsBetter() ? canary.median() : 1 / canary.median())
                        .toArray()))
                .filter(Double::isFinite)
                .toArray();
    }
}
