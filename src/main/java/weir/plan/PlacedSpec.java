package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The machines on which processes run. */
public sealed interface PlacedSpec {
    /** This machine. */
    PlacedSpec HERE = new Here();

    /** True when something has to run on another machine. */
    boolean elsewhere();

    boolean inPods();

    /** The names of the hosts; none for this machine, and none for pods, which are named when they are made. */
    List<String> names();

    /** The host of a process, counted from 0, as a run calls it; empty for this machine. */
    String of(int process);

    /** All machines as a run calls them, this one by an empty name. */
    List<String> each();

    /** The numbers from 0 of those processes, of so many, that run on a host, as a run calls it. */
    static List<Integer> on(String host, PlacedSpec placed, int processes) {
        return IntStream.range(0, processes)
                .filter(process -> placed.of(process).equals(host))
                .boxed()
                .toList();
    }

    /** The name by which a run calls a host: without the user who logs in there. */
    static String called(String name) {
        return name.substring(name.indexOf('@') + 1);
    }

    /** The machine that conducts. */
    record Here() implements PlacedSpec {
        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public boolean inPods() {
            return false;
        }

        @Override
        public boolean elsewhere() {
            return false;
        }

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
     * Machines that are reached over the network.
     *
     * @param names dealt out in this order, again from the first when there are more processes than names
     * @param address HOST or HOST:PORT of this machine as these see it; empty for the one from which the first is reached
     * @param ssh the command that runs a command on one of them, when it stands before the name
     */
    record Hosts(List<String> names, String address, Start start, List<String> ssh) implements PlacedSpec {
        public Hosts {
            names = List.copyOf(names);
            ssh = List.copyOf(ssh);
        }

        @Override
        public boolean inPods() {
            return false;
        }

        @Override
        public boolean elsewhere() {
            return true;
        }

        /** The address without its port; empty where none is said. */
        public String host() {
            String host =
                    port() == 0 && !address.endsWith(":0") ? address : address.substring(0, address.lastIndexOf(':'));
            return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        }

        /** The port of this machine; 0 for any that is free. */
        public int port() {
            int colon = address.lastIndexOf(':');
            return colon < 0 || address.endsWith("]") ? 0 : Integer.parseInt(address.substring(colon + 1));
        }

        @Override
        public List<String> each() {
            return names.stream().map(PlacedSpec::called).toList();
        }

        @Override
        public String of(int process) {
            return called(names.get(process % names.size()));
        }
    }

    /**
     * Pods of Kubernetes, one for each process.
     *
     * @param image empty where none is said
     * @param nodes labels of the nodes that they may run on
     * @param storage the storage class of the disks of brokers; empty for the disk of the node
     */
    record Kubernetes(String namespace, String image, SortedMap<String, String> nodes, String storage, Spread spread)
            implements PlacedSpec {
        public Kubernetes {
            nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        }

        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public boolean inPods() {
            return true;
        }

        @Override
        public boolean elsewhere() {
            return true;
        }

        @Override
        public List<String> each() {
            return names();
        }

        @Override
        public String of(int process) {
            return "pod-" + process;
        }

        /** The same pods on other nodes. */
        public Kubernetes with(Spread newSpread) {
            return new Kubernetes(namespace, image, nodes, storage, newSpread);
        }
    }

    /** The nodes that pods choose among those that they may run on. */
    enum Spread {
        /** As evenly as nodes have room. */
        EVEN,
        /** The nodes of the brokers; of what disturbs, one pod on each. */
        BESIDE_BROKERS,
        /** Nodes without another pod of the run. */
        APART
    }

    /** How the program comes to run on a host. */
    enum Start {
        /** Weir copies itself there and starts it. */
        SSH,
        /** Somebody starts {@code weir worker} there. */
        BY_HAND,
        /** It is a pod, in which it runs already. No file says so: pods are named once the run begins. */
        POD
    }
}
