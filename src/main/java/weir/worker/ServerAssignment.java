package weir.worker;

import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.plan.property.ResolvedSecrets;

/** The settings of a server process, a record of a feature. They contain secrets: never write them to a file. */
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

    /** The source name of the process's readings about itself; empty without readings. */
    default String source() {
        return "";
    }

    /** The time from which the seconds of these readings count. */
    default long originNanos() {
        return 0;
    }

    /** Starts the server in this JVM; {@code clock} is the clock of the run. */
    Server serve(LongSupplier clock) throws IOException;

    interface Server extends AutoCloseable {
        /** Limits ages and times to messages that are due in this period of the steady clock. */
        default void limitTimes(long fromNanos, long toNanos) {}

        /**
         * Reports the server's figures, all totals since its start. Called once a second.
         *
         * @throws IllegalStateException if the server is broken
         */
        default void report(ObjDoubleConsumer<String> into) {}

        @Override
        void close();
    }
}
