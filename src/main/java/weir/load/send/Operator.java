package weir.load.send;

import java.time.Duration;
import weir.load.message.KeySource;
import weir.load.message.Message;

/**
 * A producer of operations with several records, of transactions, or of a stream. Only the thread of {@link Operations}
 * calls the producer, but any thread may close it. If a transaction fails, the call throws an {@link OperationFailed}.
 */
public interface Operator extends AutoCloseable {
    void begin();

    void send(Message message, Answer answer);

    /** Commits the offsets of the read records, in the transaction if there is one. */
    void offsets();

    void commit();

    void abort();

    void flush();

    /** Recovers from a failure that an abort cannot fix. Open transactions have ended when it returns. */
    void recover();

    Source source();

    Duration timeout();

    /** Ends a call that hangs. Messages in flight fail, and later calls throw an {@link OperationFailed}. */
    @Override
    void close();

    interface Answer {
        void acked();

        void failed(Throwable why);
    }

    interface Source {
        boolean ready();

        /** Waits a short time for records; returns true if there are records to read. */
        boolean fetch(Duration limit);

        /** Takes part in the consumer group during a long wait. The group may revoke partitions. */
        void idle();

        /** Returns true if all records that the source topics will ever have were read. */
        boolean dry();

        /**
         * Sets the key and the value of the message to those of the next record. Without a key, it sets the object
         * {@link KeySource#NONE} itself. The caller may change the value.
         */
        void next(Message into);

        boolean headed();

        int partition();

        long offset();

        /** Returns to the committed offsets. {@code unknown} is true if only the cluster knows them. */
        void rewind(boolean unknown);
    }

    final class OperationFailed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final Kind kind;

        public enum Kind {
            /** The sender aborts the transaction. The next transaction may succeed. */
            ABORT,
            /** Another producer took the transactional id. The sender takes it back by recovery. */
            FENCED,
            /** The outcome of the transaction is unknown. The sender ends it by recovery. */
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
