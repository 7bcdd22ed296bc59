package weir.load.engine;

import weir.load.send.Operator;

/** A producing engine for operations of several records, of transactions or of a stream. */
public interface Operating extends Producing {
    /** Adds a producer; the producer of a stream begins to read at {@code from}. */
    Operator operator(int producer, long[] from);

    /** Returns how many topics a stream reads: the first ones; it writes the others. */
    int sourceTopics();

    boolean source(int partition);

    /** Returns the offsets that a stream has committed; -1 without any. */
    long[] streamed();
}
