package weir.load.send;

import java.time.Duration;
import weir.load.message.KeySource;
import weir.load.message.Message;

/**
 * A producer for operations of several records, in transactions, or of a stream. One thread calls it, {@link
 * Operations}; any thread closes it. It throws an {@link OperationFailed} when a transaction fails.
 */
public interface Operator extends AutoCloseable {
    void begin();

    /** Sends a message, which is valid only during the call; {@code answer} is called once, from any thread. */
    void send(Message message, Answer answer);

    /** Commits the offsets read so far, within the transaction if there is one. */
    void offsets();

    void commit();

    void abort();

    void flush();

    /** Recovers from a failure that an abort cannot fix; open transactions are over when it returns. */
    void recover();

    Source source();

    Duration timeout();

    /** Ends a call that hangs; messages in flight fail, and later calls throw an {@link OperationFailed}. */
    @Override
    void close();

    interface Answer {
        void acked();

        void failed(Throwable why);
    }

    interface Source {
        boolean ready();

        /** Waits a short time for records; returns true when some are there. */
        boolean fetch(Duration limit);

        /** Takes part in its group, which may revoke partitions, during a long wait. */
        void idle();

        /** Returns true when all records that will ever exist were read. */
        boolean dry();

        void next();

        /** Returns the key, or exactly {@link KeySource#NONE}. */
        byte[] key();

        /** Returns the value, which the caller may change. */
        byte[] value();

        boolean headed();

        int partition();

        long offset();

        /** Returns to the committed offsets; {@code unknown}: only the cluster knows them. */
        void rewind(boolean unknown);
    }

    /** The reason why a transaction, or an operation without one, failed. */
    final class OperationFailed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final Kind kind;

        public enum Kind {
            /** Abort; the next transaction may succeed. */
            ABORT,
            /** Recover: another producer took our id, and recovery takes it back. */
            FENCED,
            /** Recover: the outcome is unknown, and recovery ends the transaction. */
            TIMED_OUT,
            BROKEN
        }

        public OperationFailed(Kind kind, Throwable cause) {
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
