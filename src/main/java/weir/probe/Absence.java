package weir.probe;

/**
 * A figure that could not be read, with the reason and the first second without it. A name that ends in ".*" stands
 * for all figures with this beginning.
 */
public record Absence(String source, String metric, String why, long sinceSecond) {}
