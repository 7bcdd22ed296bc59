package weir.probe;

/** A figure that could not be read, why, and since which second. A whole family ends in ".*". */
public record Absence(String source, String metric, String why, long sinceSecond) {}
