package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The machines on which processes run. */
public sealed interface PlacedSpec {
    default boolean remote() {
        return !(this instanceof Here);
    }

    default boolean inPods() {
        return this instanceof Kubernetes;
    }

    /** The names of the hosts; empty for this machine, and for pods, whose names do not exist yet. */
    default List<String> names() {
        return List.of();
    }

    /** The name of the host of a process in a run; empty for this machine. Processes count from 0. */
    String of(int process);

    /** The names of all machines in a run; the name of this machine is empty. */
    default List<String> each() {
        return names().stream().map(PlacedSpec::called).toList();
    }

    /** The processes on a host, numbered from 0; {@code processes} is their total on all hosts. */
    static List<Integer> on(String host, PlacedSpec placed, int processes) {
        return IntStream.range(0, processes)
                .filter(process -> placed.of(process).equals(host))
                .boxed()
                .toList();
    }

    /** The name of a host in a run: its name in the file without the login user. */
    static String called(String name) {
        return name.substring(name.indexOf('@') + 1);
    }

    record Here() implements PlacedSpec {
        @Override
        public String of(int process) {
            return "";
        }

        @Override
        public List<String> each() {
            return List.of("");
        }
    }

    /**
     * Machines with access over the network.
     *
     * @param names the hosts, which get the processes in turn
     * @param address HOST or HOST:PORT at which the hosts reach this machine; empty for the address of this machine's
     *     connection to the first host
     * @param ssh a command line that, followed by a host's name and a command, runs the command on the host
     */
    record Hosts(List<String> names, String address, Start start, List<String> ssh) implements PlacedSpec {
        public Hosts {
            names = List.copyOf(names);
            ssh = List.copyOf(ssh);
        }

        public String host() {
            String host =
                    port() == 0 && !address.endsWith(":0") ? address : address.substring(0, address.lastIndexOf(':'));
            return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        }

        /** The port of this machine; 0 for any free port. */
        public int port() {
            int colon = address.lastIndexOf(':');
            return colon < 0 || address.endsWith("]") ? 0 : Integer.parseInt(address.substring(colon + 1));
        }

        @Override
        public String of(int process) {
            return called(names.get(process % names.size()));
        }
    }

    /**
     * Pods of Kubernetes, one for each process.
     *
     * @param image empty if the file has none
     * @param nodes labels of the allowed nodes
     * @param storage the storage class of the brokers' disks; empty for the disk of the node
     */
    record Kubernetes(String namespace, String image, SortedMap<String, String> nodes, String storage, Spread spread)
            implements PlacedSpec {
        public Kubernetes {
            nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        }

        @Override
        public String of(int process) {
            return "pod-" + process;
        }
    }

    enum Spread {
        EVEN,
        /** On the nodes of the brokers, with one pod of the disturbance on each. */
        BESIDE_BROKERS,
        APART
    }

    enum Start {
        SSH,
        BY_HAND,
        /** In a pod that already runs Weir. A file cannot contain this form, because pods get their names later. */
        POD
    }
}
