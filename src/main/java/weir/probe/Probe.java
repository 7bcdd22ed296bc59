package weir.probe;

import java.util.List;
import weir.measure.ProbeMetric;

/** A source of readings that is cheap enough not to change the measurement. */
public interface Probe extends AutoCloseable {
    default List<ProbeMetric> drawn() {
        return List.of();
    }

    void sample(Readings into);

    /** Takes a much cheaper sample ten times a second, for figures with short peaks. */
    default void sampleFast() {}

    @Override
    default void close() {}
}
