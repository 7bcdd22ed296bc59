package weir.measure;

/**
 * One figure of one second. Seconds count from the origin and are negative before it.
 *
 * @param source the observed object: "host", "generator", "broker-1"
 * @param metric the name of the figure, with its unit last: "cpu.cores", "memory.rss.mib", "psi.cpu.some.percent"
 */
public record Reading(double second, String source, String metric, double value) {}
