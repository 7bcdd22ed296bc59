package weir.worker;

import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.plan.property.ResolvedSecrets;

/** The task of a server process, a record of a feature. Its properties hold resolved secrets: never write them down. */
public interface ServerAssignment {
    default String host() {
        return ServerSite.LOOPBACK;
    }

    int port();

    default ResolvedSecrets secrets() {
        return ResolvedSecrets.NONE;
    }

    default List<SortedMap<String, String>> clients() {
        return List.of();
    }

    /** The source name of the readings of the process about itself; empty if it takes none. */
    default String source() {
        return "";
    }

    /** The time from which the seconds of these readings count. */
    default long originNanos() {
        return 0;
    }

    /** Starts the server in this JVM; {@code clock} is the time of the run. */
    Server serve(LongSupplier clock) throws IOException;

    interface Server extends AutoCloseable {
        /** From now on limits ages and times to messages that are due in this period of the steady clock. */
        default void limitTimes(long fromNanos, long toNanos) {}

        /**
         * Reports the server's figures; all are totals since its start. Called once a second.
         *
         * @throws IllegalStateException if the server does not work any more
         */
        default void report(ObjDoubleConsumer<String> into) {}

        @Override
        void close();
    }
}
