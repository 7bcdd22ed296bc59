package weir.load.engine;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.property.Property;

/** A part of an engine. It has its own connections and reports figures about itself. */
public interface EnginePort extends AutoCloseable {
    /** Reports figures about the engine, once a second. */
    void report(Figures into);

    default List<Property> properties() {
        return List.of();
    }

    /** Returns the metrics of the first client of each kind, by the names of Kafka's tools; empty for none. */
    default SortedMap<String, Object> metrics() {
        return new TreeMap<>();
    }

    default List<String> notes() {
        return List.of();
    }

    @Override
    void close();

    interface Figures {
        void figure(String metric, double value);
    }
}
