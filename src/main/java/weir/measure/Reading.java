package weir.measure;

/**
 * One figure of one second, counted from the origin (negative before it).
 *
 * @param source the observed object: "host", "generator", "broker-1"
 * @param metric the name of the figure, its unit last: "cpu.cores", "memory.rss.mib", "psi.cpu.some.percent"
 */
public record Reading(double second, String source, String metric, double value) {}
