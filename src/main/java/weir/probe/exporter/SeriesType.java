package weir.probe.exporter;

/** The kind of a Prometheus series: only ever growing, any level, or unsaid. */
public enum SeriesType {
    COUNTER,
    GAUGE,
    UNTYPED
}
