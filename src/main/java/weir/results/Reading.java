package weir.results;

/** One figure that a probe saw: who, what, and how much. */
public record Reading(double second, String source, String metric, double value) {}
