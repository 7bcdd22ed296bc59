package weir.measure;

/**
 * A metric that a report draws, with a line for each process that has readings of it. A metric that no probe declares
 * is in probes.csv only.
 *
 * @param name its name in the readings, with the unit last
 * @param line the name of the line, added to the process's name; empty for none. Metrics of one chart and one name
 * share a line, which shows the higher one
 */
public record ProbeMetric(String name, String line, MetricChart chart) {

    /**
     * The frame of a chart over the seconds of a trial: its title, unit and note.
     *
     * @param note the sentence below its title
     * @param peaks true to draw several seconds as their worst second, not as their mean
     */
    public record MetricChart(String title, String unit, String note, boolean peaks) {}
}
