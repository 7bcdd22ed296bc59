package weir.feature.metrics;

/** The kind of a Prometheus series: only growing, any level, or unknown. */
public enum SeriesType {
    COUNTER,
    GAUGE,
    UNTYPED
}
