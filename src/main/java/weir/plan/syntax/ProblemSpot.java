package weir.plan.syntax;

import java.util.List;
import java.util.Map;

/** The place of a problem: the position of the value, or else of the section around it. */
public record ProblemSpot(Tree.Section tree, Findings findings) {
    private static final Map<String, List<String>> RESTS_ON = Map.of(
            "measure", List.of("measure", "load"),
            "warmup", List.of("warmup"),
            "load", List.of("load", "topics"),
            "cluster", List.of("cluster"),
            "topics", List.of("topics", "cluster"),
            "during", List.of("during", "measure", "load", "cluster"),
            "expect", List.of("load", "verify", "during"));

    public boolean sound(String path) {
        String section = path.replaceFirst("\\..*", "");
        return RESTS_ON.getOrDefault(section, List.of(section)).stream().allMatch(findings::sound);
    }

    /** True if the property comes from a file of client properties, which other programs may share. */
    public boolean inClientFile(String property) {
        Tree.Section client = tree.section("cluster").section("client");
        Tree value = client.section(Paths.PLUGIN).entries().getOrDefault(property, client);
        Origin origin = client.entries().getOrDefault(property, value).origin();
        return origin.line() == 0 && !origin.source().name().isEmpty();
    }

    public void remark(String remark) {
        findings.remark(remark);
    }

    public void wrong(String path, String message) {
        if (!findings.full()) {
            wrong(TreePositions.origin(tree, path), path, message);
        }
    }

    /** Adds a problem inside a list, which a path cannot address. */
    public void wrong(Origin place, String path, String message) {
        if (!findings.full() && sound(path)) {
            findings.add(place, path, message);
        }
    }
}
