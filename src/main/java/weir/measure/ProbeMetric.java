package weir.measure;

/**
 * A metric that a probe declares, so that a report draws it: a line for each process that has readings of it. A metric
 * that nobody declares is in probes.csv only.
 *
 * @param name as in the readings, its unit last
 * @param line the name of the line beside that of the process; empty where the process is name enough. Metrics of one
 *     chart and one name are one line, the higher of them
 */
public record ProbeMetric(String name, String line, MetricChart chart) {

    /**
     * The frame of a chart over the seconds of a trial: what it says about the metrics in it.
     *
     * @param note the sentence below its title
     * @param peaks true when several seconds together are as bad as the worst of them, and not as their mean
     */
    public record MetricChart(String title, String unit, String note, boolean peaks) {}
}
