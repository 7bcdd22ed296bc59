package weir.plan.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weir.plan.Metric;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;

/** The problems of a plan. The same problem at the same place is listed once. */
public final class Findings {
    /** The limit of findings, because later findings often follow from earlier ones. */
    private static final int MOST = 100;

    private final Set<Problem> found = new LinkedHashSet<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Set<String> paths = new HashSet<>();
    private final Set<String> settled = new HashSet<>();

    public void add(Origin origin, String path, String message) {
        paths.add(path);
        addBound(origin, path, message);
    }

    /** Adds a problem at the last key of the path, or at its section if the key is absent. */
    public void add(Tree.Section section, String path, String message) {
        String key = path.substring(path.lastIndexOf('.') + 1);
        add(section.entries().getOrDefault(key, section).origin(), path, message);
    }

    /** Adds a problem of a readable value, which causes no other problem. */
    public void addBound(Origin origin, String path, String message) {
        if (found.size() == MOST) {
            found.add(origin.problem("more problems follow; only the first " + MOST + " are listed"));
        }
        if (full()) {
            return;
        }
        found.add(origin.problem(path.isEmpty() ? message : path + ": " + message));
    }

    public void remark(String remark) {
        remarks.add(remark);
    }

    public Set<String> remarks() {
        return remarks;
    }

    boolean full() {
        return found.size() > MOST;
    }

    public void lacking(Tree limit, String path, Metric metric, Variant variant, String hint) {
        String lacks = metric.lacking(variant);
        if (!lacks.isEmpty()) {
            add(limit.origin(), path, "variant '" + variant.name() + "' has no " + metric.name() + ": " + lacks + hint);
        }
    }

    /** Marks the current findings as possible causes of later findings. */
    public void settle() {
        settled.addAll(paths);
    }

    /** True if a value, or a value below it, had a problem at the last {@link #settle}, in the file or in a variant. */
    public boolean doubted(String path) {
        return settled.stream().anyMatch(p -> ("." + p + ".").contains("." + path + "."));
    }

    /** True if neither a section nor a top-level key had a problem at the last {@link #settle}. */
    public boolean sound(String section) {
        return !doubted(section)
                && settled.stream().noneMatch(path -> !path.contains(".") && !Keys.ONCE.contains(path));
    }

    public List<Problem> list() {
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
        return sorted;
    }

    public void throwAny() {
        if (!found.isEmpty()) {
            throw new Problems(list());
        }
    }
}
