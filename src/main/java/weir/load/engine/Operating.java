package weir.load.engine;

import weir.load.send.Operator;

/** A producing engine for operations with several records, for transactions and for streams. */
public interface Operating extends Producing {
    /** Adds a producer. A stream's producer begins to read at {@code from}. */
    Operator operator(int producer, long[] from);

    /** Returns the number of topics that a stream reads, which come before the topics that it writes. */
    int sourceTopics();

    boolean source(int partition);

    /** Returns the committed offsets of a stream; -1 without an offset. */
    long[] streamed();
}
