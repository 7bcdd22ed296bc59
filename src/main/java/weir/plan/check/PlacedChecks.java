package weir.plan.check;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import weir.plan.BridgeSpec;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load can be carried where it is placed. */
record PlacedChecks(ProblemSpot spot, Variant variant) {
    private static final String PATH = "load.placed";
    private static final String HERE = "; write placed: here";

    // A name goes into the command line of ssh, where a dash would begin an option.
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]{0,62}@)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?");
    private static final int HIGHEST_PORT = 65_535;

    void check() {
        if (variant.load().placed() instanceof PlacedSpec.Hosts hosts) {
            names(hosts);
            address(hosts);
            if (hosts.ssh().isEmpty()) {
                spot.wrong(PATH + ".ssh", "names no command; leave it out for ssh");
            }
            load();
        }
    }

    private void names(PlacedSpec.Hosts hosts) {
        if (hosts.names().isEmpty()) {
            spot.wrong(PATH + ".hosts", "names no host; write hosts: [a, b]");
        }
        Set<String> seen = new HashSet<>();
        for (String name : hosts.names()) {
            if (!NAME.matcher(name).matches()) {
                spot.wrong(
                        PATH + ".hosts",
                        "'" + name
                                + "' is no name of a host; write NAME or USER@NAME, which the configuration of ssh can give to any address");
            } else if (!seen.add(name)) {
                spot.wrong(
                        PATH + ".hosts",
                        "'" + name + "' stands there twice; workers are dealt out in turns, so once is enough");
            }
        }
    }

    private void address(PlacedSpec.Hosts hosts) {
        String address = hosts.address();
        boolean byHand = hosts.start() == PlacedSpec.Start.BY_HAND;
        if (address.isEmpty()) {
            if (byHand) {
                spot.wrong(
                        PATH + ".address",
                        "whoever starts workers by hand has to know where to connect; write address: 10.0.0.1:7411");
            }
            return;
        }
        if (!ADDRESS.matcher(address).matches() || hosts.port() > HIGHEST_PORT) {
            spot.wrong(PATH + ".address", "'" + address + "' is no address; write HOST or HOST:PORT");
        } else if (byHand && hosts.port() < 1) {
            spot.wrong(
                    PATH + ".address",
                    "'" + address + "' has no port, and whoever starts workers by hand has to know it; write " + address
                            + ":7411");
        }
    }

    private void load() {
        LoadSpec load = variant.load();
        if (load.target() == LoadSpec.Target.NULL) {
            spot.wrong(PATH, "the null target runs here, and is reached from nowhere else" + HERE);
        }
        if (variant.receivesByHttp() || variant.bridge() instanceof BridgeSpec.Delivery) {
            spot.wrong(PATH, "what events pass runs here, with whoever sends and receives them" + HERE);
        } else if (variant.bridge() instanceof BridgeSpec.Gateway) {
            spot.wrong(PATH, "gateways run here, and are reached from nowhere else" + HERE);
        }
    }
}
