package weir.load;

import java.time.Duration;
import java.util.List;
import weir.plan.Property;

/** An engine of which nothing is asked but to carry messages. */
interface QuietEngine extends Engine {
    @Override
    default long[] logEnds() {
        return ends();
    }

    @Override
    default long[] ackedEnds() {
        return new long[partitions().size()];
    }

    @Override
    default long[] beginnings() {
        return new long[partitions().size()];
    }

    @Override
    default void awaitPositions(Duration limit) {}

    @Override
    default void look(Figures into) {}

    @Override
    default List<Property> properties() {
        return List.of();
    }

    @Override
    default List<String> notes() {
        return List.of();
    }
}
