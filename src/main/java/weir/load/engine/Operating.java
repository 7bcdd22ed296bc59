package weir.load.engine;

import weir.load.send.Operator;

/** A producing engine whose operations may have several records, in transactions, or be those of a stream. */
public interface Operating extends Producing {
    /** One more producer; that of a stream begins to read at {@code from}. */
    Operator operator(int producer, long[] from);

    /** The topics that a stream reads are the first ones, so many; it writes the others. */
    int sourceTopics();

    boolean source(int partition);

    /** The offsets that a stream has committed; -1 where it has none. */
    long[] streamed();
}
