package weir.plan.syntax;

import java.util.List;
import java.util.Map;
import weir.plan.Experiment;
import weir.plan.Problem;

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

    /**
     * The source positions of an experiment's values. {@code variants} maps the name of a variant to its whole tree.
     */
    public record TreePositions(String file, Tree.Section top, Map<String, Tree.Section> variants)
            implements Experiment.SourcePositions {
        @Override
        public Problem problem(String variant, String path, String message) {
            Problem found = origin(variants.getOrDefault(variant, top), path).problem(path + ": " + message);
            return found.source().isEmpty() ? Problem.of(file, path + ": " + message) : found;
        }

        /** The position of the value at a path, or of the nearest section around it that the file contains. */
        static Origin origin(Tree.Section tree, String path) {
            Origin origin = tree.origin();
            Tree at = tree;
            for (String name : Paths.split(path, tree)) {
                if (!(at instanceof Tree.Section section) || !section.has(name)) {
                    break;
                }
                at = section.entries().getOrDefault(name, section);
                origin = at.origin().line() > 0 ? at.origin() : origin;
            }
            return origin;
        }
    }
}
