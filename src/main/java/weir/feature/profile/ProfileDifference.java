package weir.feature.profile;

import java.util.Comparator;
import java.util.List;

/**
 * The difference between two profiles of the same kind of process, in cost per record.
 *
 * @param tree the stacks of both profiles, with a weight for each profile
 */
public record ProfileDifference(StackTree tree, ProfileScale first, ProfileScale second) {
    /**
     * A method and its cost per record in both profiles.
     *
     * @param before cost in the first profile, including all methods that it calls; {@code after} is that in the second
     * @param itself cost without called methods in the second profile, minus the same cost in the first profile
     * @param beyond true if the difference, with or without called methods, is larger than chance explains
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
