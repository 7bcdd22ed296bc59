package weir.results;

/** One figure that a probe saw: who, what, and how much. */
public record ProbeReading(double second, String source, String metric, double value) {}
