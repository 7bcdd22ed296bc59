package weir.probe;

/** A figure that could not be read, the reason, and the second of the first failure. A whole family ends in ".*". */
public record Absence(String source, String metric, String why, long sinceSecond) {}
