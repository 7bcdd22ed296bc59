package weir.plan.property;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;

/** The addresses of a cluster, which client properties may contain instead of {@code cluster.bootstrap}. */
public final class Bootstrap {
    static final String PROPERTY = "bootstrap.servers";
    private static final String KEY = "bootstrap";

    private Bootstrap() {}

    /**
     * Returns the addresses in a file of client properties; empty if there are none. Empty also for an unreadable file,
     * which other checks report.
     */
    public static String of(String file) {
        try {
            return ClientFile.read(Path.of(file)).getOrDefault(PROPERTY, "").strip();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** True if the cluster section, not only its client properties, has the addresses. */
    public static boolean given(Tree.Section tree) {
        return !stated(tree.section("cluster"), KEY).isEmpty();
    }

    private static String stated(Tree.Section section, String key) {
        return section.entries().get(key) instanceof Tree.Text text && !text.isNull()
                ? text.text().strip()
                : "";
    }

    /** Moves the addresses to one place in the tree; contradicting addresses are a finding. */
    public static Tree.Section settle(Tree.Section tree, Findings findings) {
        Tree.Section cluster = tree.section("cluster");
        Tree.Section client = cluster.section("client");
        Tree property = client.entries().get(PROPERTY);
        if (property == null) {
            return tree;
        }
        String named = stated(client, PROPERTY);
        String given = stated(cluster, KEY);
        Tree.Section settled = cluster.with("client", client.without(PROPERTY));
        if (!named.isEmpty() && given.isEmpty()) {
            settled = settled.with(KEY, property);
        } else if (!named.isEmpty() && !addresses(named).equals(addresses(given))) {
            String where =
                    cluster.entries().getOrDefault(KEY, property).origin().layer();
            findings.add(
                    property.origin(),
                    "cluster.client." + PROPERTY,
                    "'" + named + "' is not the cluster '" + given + "' of "
                            + (where.startsWith("--") ? where : "cluster.bootstrap")
                            + "; remove one of the two values, or write the same addresses in both");
        }
        return tree.with("cluster", settled);
    }

    private static Set<String> addresses(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(address -> address.strip().replaceFirst("^[^/]*://", "").toLowerCase(Locale.ROOT))
                .filter(address -> !address.isEmpty())
                .collect(Collectors.toSet());
    }
}
