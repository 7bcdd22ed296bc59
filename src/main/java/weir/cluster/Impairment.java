package weir.cluster;

/** A network or a disk of a broker made worse, until it is closed. */
public interface Impairment extends AutoCloseable {
    @Override
    void close();
}
