package weir.load.send;

import java.time.Duration;
import weir.load.message.KeySource;
import weir.load.message.Message;

/**
 * A producer whose operations have several records, are put into transactions, or go on from what it reads. One thread
 * calls it, {@link Operations}; any thread closes it. What goes wrong with a transaction it throws as a
 * {@link Trouble}.
 */
public interface Operator extends AutoCloseable {
    void begin();

    /** Sends a message, which stays as it is only until the call returns. Its answer comes once, from any thread. */
    void send(Message message, Answer answer);

    /** Commits the offsets of what was read so far: in the transaction if there is one. */
    void offsets();

    void commit();

    void abort();

    void flush();

    /** Starts anew after a trouble that nothing else helps against; what was open before is over when it returns. */
    void recover();

    Source source();

    /** After which time it gives a message up by itself. */
    Duration timeout();

    /** Ends a call that still hangs; what is in flight fails, and later calls are troubles. */
    @Override
    void close();

    /** The outcome of a message that was sent. */
    interface Answer {
        void acked();

        void failed(Throwable why);
    }

    /** The records that a stream reads, one by one. */
    interface Source {
        boolean ready();

        /** Waits for records, but not for long; whether there are any now. */
        boolean fetch(Duration limit);

        /** Takes part in its group, which may want something back, while nothing is due for long. */
        void idle();

        /** True when all was read that will ever be there. */
        boolean dry();

        /** Goes on to the next record, which the other questions are about. */
        void next();

        /** {@link KeySource#NONE} itself when it has none. */
        byte[] key();

        /** May be changed by who asks. */
        byte[] value();

        /** True when a header carries its identity. */
        boolean headed();

        /** The index of its partition among those of the engine. */
        int partition();

        long offset();

        /** Goes back to what was not committed; {@code unknown}: only the cluster knows what was. */
        void rewind(boolean unknown);
    }

    /** The reason why a transaction, or an operation without one, did not come to its end. */
    final class Trouble extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final Kind kind;

        /** The kinds of trouble, by what helps. */
        public enum Kind {
            /** Aborting it; the next one may do better. */
            ABORT,
            /** Another producer took our id: starting anew takes it back. */
            FENCED,
            /** Nobody knows how it ended: starting anew ends it. */
            TIMED_OUT,
            /** Starting anew. */
            BROKEN
        }

        public Trouble(Kind kind, Throwable cause) {
            super(cause.getMessage(), cause);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }

        public Throwable reason() {
            Throwable cause = getCause();
            return cause == null ? this : cause;
        }
    }
}
