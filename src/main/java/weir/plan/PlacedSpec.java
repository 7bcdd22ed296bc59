package weir.plan;

import java.util.List;

/** The machines on which processes run. */
public sealed interface PlacedSpec {
    /** This machine. */
    PlacedSpec HERE = new Here();

    /** True when something has to run on another machine. */
    boolean elsewhere();

    /** The machine that conducts. */
    record Here() implements PlacedSpec {
        @Override
        public boolean elsewhere() {
            return false;
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
        public boolean elsewhere() {
            return true;
        }

        /** The host of a process, counted from 0. */
        public String of(int process) {
            return names.get(process % names.size());
        }
    }

    /** How the program comes to run on a host. */
    enum Start {
        /** Weir copies itself there and starts it. */
        SSH,
        /** Somebody starts {@code weir worker} there. */
        BY_HAND
    }
}
