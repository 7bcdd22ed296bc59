package weir.worker;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weir.load.client.ClientEngine;
import weir.load.engine.Engine;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.plan.LoadSpec;
import weir.plan.Verify;
import weir.time.MachineClock;

/** A maker of the engine for an assignment. */
record Engines(Assignment assignment, LoadSpec load, Verify verify, LongSupplier clock, Consumer<String> events) {
    Engine make() {
        if (assignment.variant().receivesOutsideKafka()) {
            return events(MessageTransport.known().receiving(assignment, load, clock, events));
        }
        if (load.producers().engine() == LoadSpec.Engine.OTHER) {
            return sentOutsideKafka();
        }
        // A sender of events that is measured without a receiver has no receiving engine.
        if (load.producers().engine() == load.consumers().engine() || sendsEvents()) {
            return make(load.producers().engine());
        }
        Engine sending = make(load.producers().engine());
        return orClose(
                sending::close,
                () -> Engine.paired(sending, make(load.consumers().engine())));
    }

    /** Closes the first part of an engine if the rest fails. */
    private static Engine orClose(Runnable closeFirst, Supplier<Engine> whole) {
        try {
            return whole.get();
        } catch (RuntimeException | Error e) {
            closeFirst.run();
            throw e;
        }
    }

    private boolean sendsEvents() {
        return load.consumers().engine() == LoadSpec.Engine.OTHER;
    }

    private Engine events(MessageTransport.Receiving receiving) {
        return orClose(
                receiving::close,
                () -> new Engine(
                        load.producers().engine() == LoadSpec.Engine.OTHER
                                ? MessageTransport.known().sending(assignment, load, List.of(), true, clock, events)
                                : make(load.producers().engine()).producing(),
                        receiving,
                        receiving));
    }

    private Engine sentOutsideKafka() {
        boolean wire = load.consumers().engine() == LoadSpec.Engine.WIRE;
        Engine receiving = make(wire ? LoadSpec.Engine.WIRE : LoadSpec.Engine.CLIENT);
        return orClose(
                receiving::close,
                () -> new Engine(
                        MessageTransport.known().sending(assignment, load, topics(), false, clock, events),
                        receiving.consuming(),
                        receiving.log()));
    }

    private Engine make(LoadSpec.Engine which) {
        List<String> topics = topics();
        return switch (which) {
            case CLIENT ->
                Engine.of(new ClientEngine(
                        new ClientEngine.Connection(
                                assignment.client(),
                                assignment.producer(),
                                assignment.consumer(),
                                topics,
                                load,
                                assignment.group(),
                                load.workload() == LoadSpec.Workload.STREAM
                                        ? names(load.stream().from()).size()
                                        : 0,
                                assignment.worker() == 0,
                                assignment.workers() == 1,
                                sendsEvents(),
                                assignment.variant().killsReaders(),
                                assignment.seed()),
                        clock,
                        events));
            case WIRE ->
                Engine.of(new WireEngine(
                        new WireEngine.Asked(
                                assignment.client(),
                                assignment.producer(),
                                assignment.consumer(),
                                topics,
                                load.consumers().count(),
                                verify == Verify.HEADERS,
                                audience()),
                        clock,
                        MachineClock.WALL::millis,
                        events));
            case OTHER -> throw new IllegalArgumentException("an engine outside Kafka has no log");
        };
    }

    private RecordAudience audience() {
        boolean unread = load.workload() == LoadSpec.Workload.PRODUCE && verify == Verify.FALSE;
        if (unread || verify == Verify.HEADERS || load.target() == LoadSpec.Target.NULL) {
            return RecordAudience.NONE;
        }
        if (load.producers().engine() != load.consumers().engine() || assignment.workers() > 1) {
            return RecordAudience.ANYONE;
        }
        return load.workload() == LoadSpec.Workload.DELIVER ? RecordAudience.AT_ONCE : RecordAudience.LATER;
    }

    /** The topics of the load, starting with those that a stream reads. */
    private List<String> topics() {
        if (load.workload() == LoadSpec.Workload.STREAM) {
            return Stream.concat(
                            names(load.stream().from()).stream(),
                            names(load.stream().to()).stream())
                    .toList();
        }
        return assignment.topics().values().stream().flatMap(List::stream).toList();
    }

    private List<String> names(String topic) {
        return assignment.topics().getOrDefault(topic, List.of());
    }
}
