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

/** Collects problems while a plan is read; the same one at the same place counts once. */
public final class Findings {
    /** Nobody mends more at once, and some of these follow from others. */
    private static final int MOST = 100;

    private final Set<Problem> found = new LinkedHashSet<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Set<String> paths = new HashSet<>();
    private final Set<String> settled = new HashSet<>();

    public void add(Origin origin, String path, String message) {
        paths.add(path);
        addBound(origin, path, message);
    }

    /** Adds a problem with a value that can be read, so that it explains no other problem. */
    public void addBound(Origin origin, String path, String message) {
        if (found.size() == MOST) {
            found.add(origin.problem("and more from here on; these are the first " + MOST));
        }
        if (full()) {
            return;
        }
        found.add(origin.problem(path.isEmpty() ? message : path + ": " + message));
    }

    /** Notes what is not wrong and may surprise. */
    public void remark(String remark) {
        remarks.add(remark);
    }

    public Set<String> remarks() {
        return remarks;
    }

    boolean full() {
        return found.size() > MOST;
    }

    /** A limit on a metric that nothing of a variant's load has. */
    public void lacking(Tree limit, String path, Metric metric, Variant variant) {
        String lacks = metric.lacking(variant);
        if (!lacks.isEmpty()) {
            add(limit.origin(), path, "variant '" + variant.name() + "' has no " + metric.name() + ": " + lacks);
        }
    }

    /** Marks the findings so far as possible causes of those that follow. */
    public void settle() {
        settled.addAll(paths);
    }

    /** True when a value, or one below it, was already wrong when things settled, in the file or in a variant of it. */
    public boolean doubted(String path) {
        return settled.stream().anyMatch(p -> ("." + p + ".").contains("." + path + "."));
    }

    /** True when what a section says is known: neither it nor the keys of the whole file were wrong when things settled. */
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
