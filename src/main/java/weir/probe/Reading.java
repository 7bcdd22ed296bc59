package weir.probe;

/**
 * One figure of one second, counted from the origin (negative before it).
 *
 * @param source the observed object: "host", "generator", "broker-1"
 * @param metric the name of the figure, its unit last: "cpu.cores", "memory.rss.mib", "psi.cpu.some.percent"
 */
public record Reading(long second, String source, String metric, double value) {
    public Reading {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(
                    "a reading needs a finite value, got " + value + " for '" + metric + "' of '" + source + "'");
        }
    }
}
