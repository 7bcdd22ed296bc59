package weir.judge.trial;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import weir.judge.ProbeSeries;

/** The CPU that each kind of process used for a record, in the seconds that were measured. */
final class CpuPerRecord {
    private static final List<String> KINDS = Stream.concat(
                    Stream.of("generator", "broker"), ProbeSeries.BRIDGES.stream())
            .toList();

    private static final double MICROS = 1e6;

    private CpuPerRecord() {}

    /**
     * Microseconds by kind; of one kind all processes together. Empty where there were no records.
     *
     * @param perSecond records
     */
    static SortedMap<String, Double> of(ProbeSeries readings, double from, double to, double perSecond) {
        SortedMap<String, Double> all = new TreeMap<>();
        if (perSecond <= 0) {
            return all;
        }
        for (String kind : KINDS) {
            // A reading tells of the second that it ends.
            double cores = readings.meanOfSums(kind, "cpu.cores", from + 1, to);
            if (!Double.isNaN(cores)) {
                all.put(kind, cores * MICROS / perSecond);
            }
        }
        return all;
    }
}
