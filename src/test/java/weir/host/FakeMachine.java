package weir.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import weir.plan.Limits;

/**
 * A machine with eight processors and a large disk.
 *
 * @param freeMemory in bytes
 * @param unlimited reasons why the machine cannot enforce limits
 * @param absent names of missing programs
 */
public record FakeMachine(long freeMemory, List<String> unlimited, Set<String> absent) implements MachineResources {
    public FakeMachine {
        unlimited = List.copyOf(unlimited);
        absent = Set.copyOf(absent);
    }

    /** Returns a machine on which everything can run. */
    public static FakeMachine large() {
        return new FakeMachine(64L << 30, List.of(), Set.of());
    }

    public FakeMachine without(String... programs) {
        return new FakeMachine(freeMemory, unlimited, Set.of(programs));
    }

    public FakeMachine withFree(long bytes) {
        return new FakeMachine(bytes, unlimited, absent);
    }

    public FakeMachine unable(String reason) {
        return new FakeMachine(freeMemory, List.of(reason), absent);
    }

    @Override
    public int processors() {
        return 8;
    }

    @Override
    public FreeDiskSpace disk(Path data) {
        return new FreeDiskSpace(data, 1L << 40);
    }

    @Override
    public List<String> missing(Limits limits, Path data) {
        return limits.equals(Limits.NONE) ? List.of() : unlimited;
    }

    @Override
    public Path program(String name) {
        return absent.contains(name) ? Path.of("") : Path.of("/usr/bin", name);
    }
}
