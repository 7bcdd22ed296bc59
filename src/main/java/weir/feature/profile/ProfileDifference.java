package weir.feature.profile;

import java.util.Comparator;
import java.util.List;

/**
 * Two profiles of the same kind of process, compared by the cost of a record.
 *
 * @param tree the first profile, with the second beside it
 */
public record ProfileDifference(StackTree tree, ProfileScale first, ProfileScale second) {
    /**
     * A method whose cost changed.
     *
     * @param before cost in the first profile, with all callees
     * @param itself cost without callees in the second profile, minus that in the first
     * @param beyond true if its cost, with or without callees, differs by more than chance
     */
    public record Change(String name, double before, double after, double itself, boolean beyond) {
        public double difference() {
            return after - before;
        }
    }

    public List<Change> changes() {
        return tree.methods().stream()
                .map(this::change)
                .sorted(Comparator.comparing(Change::beyond)
                        .thenComparingDouble(change -> Math.abs(change.itself()))
                        .thenComparingDouble(change -> Math.abs(change.difference()))
                        .reversed()
                        .thenComparing(Change::name))
                .toList();
    }

    private Change change(StackTree.Method method) {
        boolean itself = first.differs(method.firstItself(), second, method.secondItself());
        boolean all = first.differs(method.first(), second, method.second());
        return new Change(
                method.name(),
                first.cost(method.first()),
                second.cost(method.second()),
                second.cost(method.secondItself()) - first.cost(method.firstItself()),
                itself || all);
    }

    public Change whole() {
        StackTree.Frame root = tree.root();
        return new Change(
                root.name(),
                first.cost(root.first()),
                second.cost(root.second()),
                0,
                first.differs(root.first(), second, root.second()));
    }
}
