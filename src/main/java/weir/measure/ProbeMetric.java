package weir.measure;

/**
 * A metric that a probe declares, so that a report draws it: a line for each process that has readings of it. A metric
 * that nobody declares is in probes.csv only.
 *
 * @param name as in the readings, its unit last
 * @param line the name of the line beside that of the process; empty where the process is name enough. Metrics of one
 *     chart and one name are one line, the higher of them
 */
public record ProbeMetric(String name, String line, MetricChart chart) {}
