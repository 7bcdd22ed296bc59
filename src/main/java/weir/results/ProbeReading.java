package weir.results;

/** One figure that a probe read from a source. */
public record ProbeReading(double second, String source, String metric, double value) {}
