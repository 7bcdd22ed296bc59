package weir.measure;

/**
 * A metric for which a report draws a chart, with a line for each process that has readings of it. A metric that no
 * probe declares is only stored in probes.csv.
 *
 * @param name the name of its readings, with the unit last
 * @param line a text added to the process's name in the name of the line; empty for none. Metrics with the same chart
 * and the same line name share a line, which shows the higher value
 */
public record ProbeMetric(String name, String line, MetricChart chart) {

    /**
     * The frame of a chart over the seconds of a trial: its title, unit and note.
     *
     * @param note the sentence below its title
     * @param peaks true if a point for several seconds shows the worst second, and not the mean
     */
    public record MetricChart(String title, String unit, String note, boolean peaks) {}
}
