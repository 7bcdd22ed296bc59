package weir.feature.maintenance;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Variant;

/** A maintenance operation of {@code during}. */
sealed interface OperationSpec extends DisturbanceSpec.Operation {
    List<Class<? extends Record>> FORMS = List.of(
            Restart.class,
            Upgrade.class,
            Downgrade.class,
            Reassign.class,
            Drain.class,
            Add.class,
            Elect.class,
            Observe.class);

    /** The word of {@code brokers} for all brokers, in the order of their numbers. */
    String EACH = "each";

    /** The usual time from the stop of a node until all replicas are in sync again. */
    Duration RESTART = Duration.ofSeconds(6);

    enum How {
        CONTROLLED,
        KILL
    }

    enum Leaders {
        PREFERRED
    }

    enum Move {
        EVEN,
        NONE
    }

    enum Observed {
        BROKERS
    }

    /** The highest rate at which each broker moves data; zero for no limit. */
    default ByteSize throttle() {
        return new ByteSize(0);
    }

    /** Returns the release of the nodes when this operation of a variant begins. */
    default String releaseBefore(Variant variant) {
        return last(variant, Operation::release);
    }

    /** Returns the release to which the features of the cluster are raised when this operation of a variant begins. */
    default String levelBefore(Variant variant) {
        return last(variant, what -> what instanceof Upgrade upgrade && upgrade.finalized() ? upgrade.to() : "");
    }

    private String last(Variant variant, Function<Operation, String> release) {
        return variant.during().values().stream()
                .filter(Operation.class::isInstance)
                .map(Operation.class::cast)
                .filter(what ->
                        what.at().compareTo(at()) < 0 && !release.apply(what).isEmpty())
                .max(Comparator.comparing(Operation::at))
                .map(release)
                .orElse(variant.cluster().kafka());
    }

    /** An installation of a release on all nodes, one after the other. */
    sealed interface Install extends OperationSpec {
        String to();

        @Override
        default String release() {
            return to();
        }

        @Override
        default Duration usual(ClusterSpec cluster) {
            return RESTART.multipliedBy(cluster.brokers().size() + cluster.dedicatedControllers());
        }
    }

    /**
     * Restarts of brokers, one after the other.
     *
     * @param brokers their numbers in the order of the restarts, or {@value #EACH}
     */
    record Restart(Duration at, List<String> brokers, How how, Duration max, Duration settle) implements OperationSpec {
        boolean each() {
            return brokers.equals(List.of(EACH));
        }

        @Override
        public Duration usual(ClusterSpec cluster) {
            return RESTART.multipliedBy(each() ? cluster.brokers().size() : brokers.size());
        }
    }

    /**
     * An upgrade of all nodes, one after the other.
     *
     * @param finalized whether the features of the cluster get the levels of the new release at the end
     */
    record Upgrade(Duration at, String to, boolean finalized, Duration max, Duration settle) implements Install {}

    /** A return of all nodes to an earlier release, one after the other. The features keep their levels. */
    record Downgrade(Duration at, String to, Duration max, Duration settle) implements Install {}

    /** A move of a topic to other brokers. */
    record Reassign(Duration at, String topic, List<Integer> brokers, ByteSize throttle, Duration max, Duration settle)
            implements OperationSpec {}

    record Drain(Duration at, int broker, ByteSize throttle, Duration max, Duration settle) implements OperationSpec {}

    record Add(Duration at, int brokers, Move move, ByteSize throttle, Duration max, Duration settle)
            implements OperationSpec {
        @Override
        public int addedBrokers() {
            return brokers;
        }

        @Override
        public Duration usual(ClusterSpec cluster) {
            return RESTART.multipliedBy(brokers);
        }
    }

    record Elect(Duration at, Leaders elect, Duration max, Duration settle) implements OperationSpec {}

    /** An observation of brokers that somebody else restarts. */
    record Observe(Duration at, Duration length, Observed observe, Duration settle) implements OperationSpec {
        @Override
        public Duration max() {
            return length;
        }

        @Override
        public boolean alone() {
            return false;
        }

        @Override
        public Duration usual(ClusterSpec cluster) {
            return length;
        }
    }
}
