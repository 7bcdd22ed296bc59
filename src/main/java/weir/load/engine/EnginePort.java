package weir.load.engine;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.property.Property;

/** Something that an engine can do, with its connections and clients; it explains itself. */
public interface EnginePort extends AutoCloseable {
    /** Tells the figures by which the engine explains itself; once a second. */
    void look(Figures into);

    /** The effective configuration of each kind of client. */
    List<Property> properties();

    /**
     * The numbers and texts that the first client of each kind had at its end, by the names that Kafka's tools give them.
     * Empty for an engine without clients.
     */
    default SortedMap<String, Object> metrics() {
        return new TreeMap<>();
    }

    /** Facts worth knowing before anything is measured. */
    List<String> notes();

    /** May be called again. */
    @Override
    void close();

    /** Takes one figure. */
    interface Figures {
        void figure(String metric, double value);
    }
}
