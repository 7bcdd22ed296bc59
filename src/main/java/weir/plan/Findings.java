package weir.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects problems while a plan is read; the same one at the same place counts once. */
final class Findings {
    private final Set<Problem> found = new LinkedHashSet<>();

    void add(Origin origin, String path, String message) {
        found.add(origin.problem(path.isEmpty() ? message : path + ": " + message));
    }

    boolean none() {
        return found.isEmpty();
    }

    int count() {
        return found.size();
    }

    List<Problem> list() {
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
        return sorted;
    }

    void throwAny() {
        if (!found.isEmpty()) {
            throw new Problems(list());
        }
    }
}
