package weir.cluster;

/** A degraded network or disk of a broker. Closing it restores the network or disk. */
public interface Impairment extends AutoCloseable {
    @Override
    void close();
}
