package weir.results.value;

import java.util.HashSet;
import java.util.List;

/**
 * A machine that takes part in a trial, and the processes on it.
 *
 * @param name the name in the experiment; {@link #HERE} for the machine that runs Weir's command
 * @param machine the machine's own name; for a pod the name of its node; empty if unknown
 * @param processors the number of processors that a process may use
 * @param memoryBytes the total memory; 0 if unknown
 * @param workers the numbers of the workers on the machine, from 0, ascending
 * @param brokers the ids of the brokers that Weir started on the machine
 * @param others gateways and balancers by the source of their readings; processes of a disturbance by its name
 */
public record HostFacts(
        String name,
        String machine,
        int processors,
        long memoryBytes,
        String system,
        String java,
        List<Integer> workers,
        List<Integer> brokers,
        List<String> others) {
    /** The name of this machine, and of no other, as in {@code placed: here}. */
    public static final String HERE = "here";

    /** The source of this machine's readings, and the prefix of other machines' sources. */
    public static final String SOURCE = "host";

    public HostFacts {
        workers = List.copyOf(workers);
        brokers = List.copyOf(brokers);
        others = List.copyOf(others);
        if (name.isBlank() || processors < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "a host must have a name, and at least 0 processors and 0 bytes of memory, found '" + name
                            + "' with " + processors + " and " + memoryBytes + " bytes");
        }
        if (workers.stream().anyMatch(worker -> worker < 0) || new HashSet<>(workers).size() < workers.size()) {
            throw new IllegalArgumentException("the workers of host '" + name
                    + "' must be numbered from 0 on, each number once, found " + workers);
        }
    }

    public static boolean isSource(String source) {
        return source.equals(SOURCE) || source.startsWith(SOURCE + "-");
    }

    public boolean here() {
        return name.equals(HERE);
    }

    public String source() {
        return here() ? SOURCE : SOURCE + "-" + name;
    }
}
