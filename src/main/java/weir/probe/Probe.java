package weir.probe;

import java.util.List;
import weir.measure.ProbeMetric;

/** Something that can be looked at again and again, at a cost too small to change what is measured. */
public interface Probe extends AutoCloseable {
    default List<ProbeMetric> drawn() {
        return List.of();
    }

    void look(Readings into);

    /** A much cheaper look, ten times a second, for what would blur within a second. */
    default void glance() {}

    @Override
    default void close() {}
}
