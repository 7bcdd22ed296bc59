package weir.measure;

/**
 * The frame of a chart over the seconds of a trial: what it says about the metrics in it.
 *
 * @param note the sentence below its title
 * @param peaks true when several seconds together are as bad as the worst of them, and not as their mean
 */
public record MetricChart(String title, String unit, String note, boolean peaks) {}
