package weir.probe;

/** A figure that Weir could not read, and the reason. A name like {@code cpu.*} stands for a family of figures. */
public record Absence(String source, String metric, String why, long sinceSecond) {}
