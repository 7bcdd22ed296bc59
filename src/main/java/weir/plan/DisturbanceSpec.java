package weir.plan;

import java.time.Duration;
import java.util.List;

/** A fault or an additional load that starts at a set time. With a {@code length} of zero, it never ends. */
public interface DisturbanceSpec {
    Duration at();

    Duration length();

    /** The number of the disturbed broker; 0 for none. */
    default int broker() {
        return 0;
    }

    /** The number of brokers that it adds to the cluster. */
    default int addedBrokers() {
        return 0;
    }

    /** The change of the load's readers, which the workers make themselves at {@link #at}, and undo at its end. */
    default ReaderChange readers() {
        return ReaderChange.NONE;
    }

    /** The kind of the disturbance's own processes, such as {@code stress}; empty without such processes. */
    default String processes() {
        return "";
    }

    /** True if its processes connect to the brokers. */
    default boolean reachesBrokers() {
        return false;
    }

    default Limits within() {
        return Limits.NONE;
    }

    /** The topics of its own load, if the disturbance has this name. */
    default List<String> topics(String name) {
        return List.of();
    }

    /** The loads that the disturbance adds, if it has this name: variants with such a load in the place of their own. */
    default List<Variant> loads(String name, Variant variant) {
        return List.of();
    }

    /** The hosts of the disturbance's own processes, one process on each host. */
    default PlacedSpec placed() {
        return new PlacedSpec.Here();
    }

    /** A disturbance whose processes run on the brokers' hosts by default. */
    interface BesideBrokers extends DisturbanceSpec {}

    /** A disturbance whose processes start before the warm-up, so that it begins exactly at its time. */
    interface Prepared extends DisturbanceSpec {}

    /** A maintenance operation, which lasts until it is done. The measured phase ends when all operations settled. */
    interface Operation extends DisturbanceSpec {
        /** The time after which an operation that is not done fails the trial. */
        Duration max();

        /** The time from the end of the operation until the end of the measured phase. */
        Duration settle();

        @Override
        default Duration length() {
            return Duration.ZERO;
        }

        /** True if the operation begins only when the earlier ones are done. */
        default boolean alone() {
            return true;
        }

        /** The release that the operation installs; empty for none. */
        default String release() {
            return "";
        }

        /** True if the cluster stays changed for later trials. */
        default boolean changesCluster() {
            return !release().isEmpty() || addedBrokers() > 0;
        }

        /** Its length on a machine that is not busy, for estimates. */
        default Duration usual(ClusterSpec cluster) {
            return Duration.ofSeconds(5);
        }
    }

    record Outage(Duration at, Duration length, Kind kind, Server server) implements DisturbanceSpec {
        public enum Kind {
            KILL,
            STOP,
            PAUSE
        }

        @Override
        public int broker() {
            return server.role().equals("broker") ? server.number() : 0;
        }

        /** True for the active controller, which is known only when the outage begins. */
        public boolean ofController() {
            return server.role().equals(Server.CONTROLLER);
        }
    }

    /** A node of the cluster or a process of the bridge. Numbers count from 1; 0 means a server without a number. */
    record Server(String role, int number) {
        public static final String CONTROLLER = "controller";

        public String text() {
            return number == 0 ? role : role + " " + number;
        }
    }

    /**
     * A slow or interrupted network of a broker.
     *
     * @param delay added latency in each affected direction
     * @param jitter maximum random addition to the delay; packets stay in order
     * @param bytesPerSecond maximum throughput in each affected direction; zero means no limit
     * @param cut true to drop all traffic but keep connections open, as with a pulled cable
     */
    record Network(
            Duration at,
            Duration length,
            int broker,
            Between between,
            Way way,
            Duration delay,
            Duration jitter,
            ByteSize bytesPerSecond,
            boolean cut)
            implements DisturbanceSpec {
        /** The disturbed connections of the broker: with clients, with other nodes of the cluster, or both. */
        public enum Between {
            ALL,
            CLIENTS,
            BROKERS
        }

        public enum Way {
            BOTH,
            IN,
            OUT
        }
    }

    record Disk(Duration at, Duration length, int broker, ByteSize ioPerSecond, boolean full)
            implements DisturbanceSpec {}

    sealed interface Amount {
        record Bytes(ByteSize size) implements Amount {}

        record OfFree(Ratio share) implements Amount {}
    }
}
