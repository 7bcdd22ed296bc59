package weir.measure;

/**
 * A metric with a chart in reports, which has a line for each process with readings.
 *
 * @param name the name of its readings, with the unit last
 * @param line a text after the process's name in the name of the line; empty for none. Metrics with the same chart and
 *     name share a line, which shows the higher value
 */
public record ProbeMetric(String name, String line, MetricChart chart) {

    /**
     * The frame of a chart over the seconds of a trial.
     *
     * @param note the sentence below the title
     * @param peaks true if a point for several seconds shows the worst second instead of the mean
     */
    public record MetricChart(String title, String unit, String note, boolean peaks) {}
}
