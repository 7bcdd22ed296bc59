package weir.plan;

import java.time.Duration;
import java.util.List;

/** Something done at a time, and undone. A {@code length} of zero means that it stays. */
public sealed interface DisturbanceSpec {
    /** Since the start of the measured phase. */
    Duration at();

    Duration length();

    /** The broker that it is about; 0 where it is about none. */
    default int broker() {
        return 0;
    }

    /** The gateway that it is about; 0 where it is about none. */
    default int gateway() {
        return 0;
    }

    /** True when it is made by processes of its own. */
    default boolean startsProcesses() {
        return false;
    }

    /** The section below its own in which it says where it runs; empty for its own. */
    default String section() {
        return "";
    }

    /** The limits of its own processes. */
    default Limits within() {
        return Limits.NONE;
    }

    /** Where its own processes run: on each of those hosts. */
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    /**
     * Memory, CPU and disk taken by other processes, on the hosts of the brokers unless it says where.
     *
     * @param reserve of the free memory, left alone however much is asked for
     * @param threads for each of memory and disk; they compute where neither is asked for
     * @param disk written again and again, by all threads together
     */
    record Stress(
            Duration at,
            Duration length,
            Amount memory,
            ByteSize reserve,
            int threads,
            ByteSize disk,
            Limits within,
            PlacedSpec placed)
            implements DisturbanceSpec {
        @Override
        public boolean startsProcesses() {
            return true;
        }
    }

    /** A process that does nothing for a while. */
    record Outage(Duration at, Duration length, Kind kind, Server server) implements DisturbanceSpec {
        /** How it comes to that. */
        public enum Kind {
            KILL,
            STOP,
            PAUSE
        }

        @Override
        public int broker() {
            return server.role() == Server.Role.BROKER ? server.number() : 0;
        }

        @Override
        public int gateway() {
            return server.role() == Server.Role.GATEWAY ? server.number() : 0;
        }
    }

    /** One of the brokers or gateways, which are counted from 1, or a process on the way of an event. */
    record Server(Role role, int number) {
        /** As the file says it: broker 2, channel. */
        public String text() {
            String word = EnumNames.of(role);
            return role == Role.BROKER || role == Role.GATEWAY ? word + " " + number : word;
        }

        /** The kind of server. */
        public enum Role {
            BROKER,
            GATEWAY,
            /** The process of this name on the way of an event; there is one of each. */
            INGRESS,
            CHANNEL,
            FILTER,
            SOURCE
        }
    }

    /**
     * A slower or closed network of a broker.
     *
     * @param delay of whatever passes, in each of the directions
     * @param jitter the most that is added to the delay, at random; what was sent in order stays in order
     * @param bytesPerSecond the most that passes in each of the directions; zero leaves it alone
     * @param cut nothing passes, and connections stay open, as behind a cable that was pulled
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
        /** Whose connections with the broker: those of clients, those of other brokers and controllers, or both. */
        public enum Between {
            ALL,
            CLIENTS,
            BROKERS
        }

        /** The direction, as the broker sees it. */
        public enum Way {
            BOTH,
            IN,
            OUT
        }
    }

    /** A slow or full disk under a broker. */
    record Disk(Duration at, Duration length, int broker, ByteSize ioPerSecond, boolean full)
            implements DisturbanceSpec {}

    /** A second load beside the first. */
    record Load(Duration at, Duration length, LoadSpec load) implements DisturbanceSpec {
        @Override
        public PlacedSpec placed() {
            return load.placed();
        }

        @Override
        public String section() {
            return ".load";
        }

        @Override
        public Limits within() {
            return load.within();
        }
    }

    /**
     * A command of the user's, which ends with the disturbance: here in the folder of the experiment, on another host in an
     * empty one.
     */
    record Run(Duration at, Duration length, List<String> command, PlacedSpec placed) implements DisturbanceSpec {
        public Run {
            command = List.copyOf(command);
        }

        @Override
        public boolean startsProcesses() {
            return true;
        }
    }

    /** So many bytes, or such a share of what is free. */
    sealed interface Amount {
        record Bytes(ByteSize size) implements Amount {}

        record OfFree(Ratio share) implements Amount {}
    }
}
