package weir.measure;

/**
 * A metric with a chart in reports. The chart has a line for each process with readings.
 *
 * @param name the name of the readings, which ends with the unit
 * @param line the text after the name of the process in the label of the line; may be empty. Metrics with the same
 *     chart and {@code line} share a line, which shows the higher value.
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
