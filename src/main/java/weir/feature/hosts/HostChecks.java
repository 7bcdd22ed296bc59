package weir.feature.hosts;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import weir.plan.EnumNames;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;

/** The checks on the hosts on which the parts of a variant run. */
final class HostChecks implements VariantCheck {
    // A name goes into the command line of ssh, where a dash would begin an option.
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]{0,62}@)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?");
    private static final int HIGHEST_PORT = 65_535;

    private record Placement(String path, PlacedSpec.Hosts hosts, LayeredExperiment.Laid laid) {}

    @Override
    public void check(ProblemSpot spot, Variant variant) {
        placements(variant).forEach((path, hosts) -> {
            names(spot, path + ".hosts", hosts);
            address(spot, path + ".address", hosts);
            if (hosts.ssh().isEmpty()) {
                spot.wrong(path + ".ssh", "names no command; leave it out for ssh");
            }
        });
    }

    /** Checks that all placements on a host agree how to reach it, because a run connects to each host once. */
    @Override
    public void together(List<LayeredExperiment.Laid> all, Findings findings) {
        Map<String, Placement> first = new HashMap<>();
        for (LayeredExperiment.Laid laid : all) {
            for (Map.Entry<String, PlacedSpec.Hosts> each :
                    placements(laid.variant()).entrySet()) {
                Placement placement = new Placement(each.getKey(), each.getValue(), laid);
                for (String name : placement.hosts().names()) {
                    Placement before = first.putIfAbsent(name, placement);
                    String key = before == null ? "" : differing(before.hosts(), placement.hosts());
                    if (before != null && !key.isEmpty()) {
                        contradiction(name, key, before, placement, findings);
                        return;
                    }
                }
            }
        }
    }

    private static Map<String, PlacedSpec.Hosts> placements(Variant variant) {
        Map<String, PlacedSpec.Hosts> hosts = new TreeMap<>();
        variant.places().forEach((path, spec) -> {
            if (spec instanceof PlacedSpec.Hosts elsewhere) {
                hosts.put(path, elsewhere);
            }
        });
        return hosts;
    }

    private static String differing(PlacedSpec.Hosts one, PlacedSpec.Hosts other) {
        if (!one.address().equals(other.address())) {
            return "address";
        }
        if (one.start() != other.start()) {
            return "start";
        }
        return one.ssh().equals(other.ssh()) ? "" : "ssh";
    }

    private static void contradiction(
            String name, String key, Placement before, Placement placement, Findings findings) {
        String other = before.laid().variant().name();
        String of = other.equals(placement.laid().variant().name()) ? "" : " of variant '" + other + "'";
        new ProblemSpot(placement.laid().tree(), findings)
                .wrong(
                        placement.path() + "." + key,
                        "host '" + name + "' has " + said(key, placement.hosts()) + " here and "
                                + said(key, before.hosts()) + " in " + before.path() + of
                                + ", and is reached once; write the same in both");
    }

    private static String said(String key, PlacedSpec.Hosts hosts) {
        return switch (key) {
            case "address" -> hosts.address().isEmpty() ? "no address" : "address '" + hosts.address() + "'";
            case "start" -> "start '" + EnumNames.of(hosts.start()) + "'";
            default -> "ssh '" + String.join(" ", hosts.ssh()) + "'";
        };
    }

    private static void names(ProblemSpot spot, String path, PlacedSpec.Hosts hosts) {
        if (hosts.names().isEmpty()) {
            spot.wrong(path, "names no host; write hosts: [a, b]");
        }
        Set<String> seen = new HashSet<>();
        for (String name : hosts.names()) {
            if (!NAME.matcher(name).matches()) {
                spot.wrong(
                        path,
                        "'" + name
                                + "' is no name of a host; write NAME or USER@NAME, which the configuration of ssh can give to any address");
            } else if (!seen.add(name)) {
                spot.wrong(
                        path, "'" + name + "' stands there twice; processes are dealt out in turns, so once is enough");
            }
        }
    }

    private static void address(ProblemSpot spot, String path, PlacedSpec.Hosts hosts) {
        String address = hosts.address();
        boolean byHand = hosts.start() == PlacedSpec.Start.BY_HAND;
        if (address.isEmpty()) {
            if (byHand) {
                spot.wrong(
                        path,
                        "whoever starts workers by hand has to know where to connect; write address: 10.0.0.1:7411");
            }
            return;
        }
        if (!ADDRESS.matcher(address).matches() || hosts.port() > HIGHEST_PORT) {
            spot.wrong(path, "'" + address + "' is no address; write HOST or HOST:PORT");
        } else if (byHand && hosts.port() < 1) {
            spot.wrong(
                    path,
                    "'" + address + "' has no port, and whoever starts workers by hand has to know it; write " + address
                            + ":7411");
        }
    }
}
