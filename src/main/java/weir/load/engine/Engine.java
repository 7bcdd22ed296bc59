package weir.load.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import weir.plan.property.Property;

/** The three ports by which a load uses its topics. The ports may belong to different engines. */
public record Engine(Producing producing, Consuming consuming, LogView log) implements AutoCloseable {
    public static <T extends Producing & Consuming & LogView> Engine of(T all) {
        return new Engine(all, all, all);
    }

    public static Engine paired(Engine sending, Engine receiving) {
        return new Engine(sending.producing, receiving.consuming, receiving.log);
    }

    /** Returns the port for operations of several records; throws if the producing engine has no such port. */
    public Operating operating() {
        if (producing instanceof Operating operating) {
            return operating;
        }
        throw new UnsupportedOperationException("this engine supports only operations of one record");
    }

    public void report(EnginePort.Figures into) {
        ports().forEach(port -> port.report(into));
    }

    public List<Property> properties() {
        return all(EnginePort::properties);
    }

    public SortedMap<String, Object> metrics() {
        SortedMap<String, Object> metrics = new TreeMap<>();
        ports().forEach(port -> metrics.putAll(port.metrics()));
        return metrics;
    }

    public List<String> notes() {
        return all(EnginePort::notes);
    }

    private <T> List<T> all(Function<EnginePort, List<T>> part) {
        Set<T> all = new LinkedHashSet<>();
        ports().forEach(port -> all.addAll(part.apply(port)));
        return List.copyOf(all);
    }

    private List<EnginePort> ports() {
        Set<EnginePort> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<EnginePort> ports = new ArrayList<>(List.of(producing, consuming, log));
        ports.removeIf(port -> !seen.add(port));
        return ports;
    }

    @Override
    public void close() {
        close(new ArrayDeque<>(ports()));
    }

    private static void close(Deque<EnginePort> ports) {
        if (!ports.isEmpty()) {
            try {
                ports.remove().close();
            } finally {
                close(ports);
            }
        }
    }
}
