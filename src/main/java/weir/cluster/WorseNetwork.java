package weir.cluster;

/** A network of a broker made worse, until it is closed. */
public interface WorseNetwork extends AutoCloseable {
    /** Bytes that were delayed, slowed down or held up so far; zero where nobody used this network. */
    long bytes();

    @Override
    void close();
}
