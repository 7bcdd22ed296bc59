package weir.plan.syntax;

import java.util.Map;
import weir.plan.Experiment;
import weir.plan.Problem;

/** The source positions of an experiment's values. {@code variants} maps the name of a variant to its whole tree. */
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
