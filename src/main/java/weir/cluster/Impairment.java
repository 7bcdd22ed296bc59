package weir.cluster;

/** A degraded network or disk of a broker, restored when this is closed. */
public interface Impairment extends AutoCloseable {
    @Override
    void close();
}
