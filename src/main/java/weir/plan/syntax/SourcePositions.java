package weir.plan.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weir.plan.Variant;
import weir.plan.read.LayeredExperiment;

/** The places in a file where the values of an experiment were written. */
public final class SourcePositions {
    private final String file;
    private final Tree.Section top;
    private final Map<String, Tree.Section> variants = new HashMap<>();

    private SourcePositions(String file, Tree.Section top) {
        this.file = file;
        this.top = top;
    }

    /** The positions of an experiment that was not read from its file. */
    public static SourcePositions unknown(String file) {
        return new SourcePositions(file, Tree.Section.empty(Origin.unwritten("")));
    }

    public static SourcePositions of(String file, Tree.Section top, List<LayeredExperiment.Laid> variants) {
        SourcePositions places = new SourcePositions(file, top);
        variants.forEach(laid -> places.variants.put(laid.variant().name(), laid.tree()));
        return places;
    }

    /** The problem with the setting of a variant at a path, placed at the value or else the section around it. */
    public Problem problem(Variant variant, String path, String message) {
        return problem(variants.getOrDefault(variant.name(), top), path, message);
    }

    /** The same of what is said once for all variants. */
    public Problem problem(String path, String message) {
        return problem(top, path, message);
    }

    private Problem problem(Tree.Section tree, String path, String message) {
        Problem found = of(tree, path).problem(path + ": " + message);
        return found.source().isEmpty() ? Problem.of(file, path + ": " + message) : found;
    }

    /** Where the value at a path was written, or else the nearest section around it that was. */
    public static Origin of(Tree.Section tree, String path) {
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
