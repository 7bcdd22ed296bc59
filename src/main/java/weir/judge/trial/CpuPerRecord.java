package weir.judge.trial;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.judge.ProbeSeries;

/** The CPU that each kind of process used for a record, in the seconds that were measured. */
final class CpuPerRecord {
    private static final List<String> KINDS = List.of("generator", "haproxy", "nginx", "gateway", "broker");
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
            SortedMap<Long, Double> cores = readings.sums(kind, "cpu.cores", from + 1, to);
            if (!cores.isEmpty()) {
                double mean = cores.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow();
                all.put(kind, mean * MICROS / perSecond);
            }
        }
        return all;
    }
}
