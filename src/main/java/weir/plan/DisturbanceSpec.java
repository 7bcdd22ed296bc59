package weir.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Something done at a time, and undone. A {@code length} of zero means that it stays. */
public sealed interface DisturbanceSpec {
    /** Since the start of the measured phase. */
    Duration at();

    Duration length();

    /** Memory, CPU and disk taken by other processes on the host of the brokers. */
    record Stress(Duration at, Duration length, Amount memory, int threads, ByteSize disk, Limits within)
            implements DisturbanceSpec {}

    record Kill(Duration at, Duration length, int broker) implements DisturbanceSpec {}

    record Stop(Duration at, Duration length, int broker) implements DisturbanceSpec {}

    record Pause(Duration at, Duration length, int broker) implements DisturbanceSpec {}

    /** A slower, lossy or closed network in front of a broker. */
    record Network(Duration at, Duration length, int broker, Duration delay, Ratio loss, boolean cut)
            implements DisturbanceSpec {}

    /** A slow or full disk under a broker. */
    record Disk(Duration at, Duration length, int broker, ByteSize ioPerSecond, boolean full)
            implements DisturbanceSpec {}

    /** A second load beside the first. */
    record Load(Duration at, Duration length, LoadSpec load) implements DisturbanceSpec {}

    /** A command of the user's; it ends with the disturbance. */
    record Run(Duration at, Duration length, List<String> command, Path folder) implements DisturbanceSpec {
        public Run {
            command = List.copyOf(command);
        }
    }

    /** So many bytes, or such a share of what is free. */
    sealed interface Amount {
        record Bytes(ByteSize size) implements Amount {}

        record OfFree(Ratio share) implements Amount {}
    }
}
