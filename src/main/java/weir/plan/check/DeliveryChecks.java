package weir.plan.check;

import java.util.List;
import weir.plan.BacklogSpec;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.GroupSpec;
import weir.plan.HttpSpec;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.TopicSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load sends what a path of delivery takes, and that something of it can be received by HTTP. */
record DeliveryChecks(ProblemSpot spot, Variant variant) {
    private static final long MAX_REQUEST_BYTES = 1 << 20;

    void check() {
        LoadSpec load = variant.load();
        boolean events = load.consumers().engine() == LoadSpec.Engine.HTTP && reads(load.workload());
        if (!spot.sound("bridge")) {
            return;
        }
        if (variant.bridge() instanceof BridgeSpec.Delivery delivery) {
            path(delivery, load);
            new DispatchChecks(spot, variant, delivery).check();
        } else if (events) {
            foreign(load);
        }
        if (load.producers().http().request() == HttpSpec.Request.STRUCTURED
                && !(events && load.producers().engine() == LoadSpec.Engine.HTTP)) {
            spot.wrong(
                    "load.http.request",
                    "'structured' is an event, which is sent by HTTP and received by HTTP, and this load is sent by the"
                            + " engine " + EnumNames.of(load.producers().engine()) + " and received by the engine "
                            + EnumNames.of(load.consumers().engine()) + "; write request: raw");
        }
        new ReceiverChecks(spot, variant, events).check();
        if (events) {
            events(load);
        }
    }

    static boolean reads(LoadSpec.Workload workload) {
        return workload == LoadSpec.Workload.DELIVER
                || workload == LoadSpec.Workload.CONSUME
                || workload == LoadSpec.Workload.STREAM;
    }

    private void path(BridgeSpec.Delivery delivery, LoadSpec load) {
        String name = EnumNames.of(delivery.path());
        boolean source = delivery.path() == BridgeSpec.DeliveryPath.KAFKA_SOURCE;
        LoadSpec.Engine sends = load.producers().engine();
        if (load.workload() != LoadSpec.Workload.DELIVER) {
            spot.wrong(
                    "load.workload",
                    "a path hands each event to a receiver, which the workload " + EnumNames.of(load.workload())
                            + " does not have; write workload: deliver");
        } else if (source && sends != LoadSpec.Engine.CLIENT) {
            spot.wrong(
                    "load.engine",
                    "the path " + name + " reads events with headers, and the engine " + EnumNames.of(sends)
                            + " writes none; write engine: http, which is sent by the client there");
        } else if (!source && sends != LoadSpec.Engine.HTTP) {
            spot.wrong(
                    "load.engine",
                    "the path " + name + " takes events by HTTP, and the engine " + EnumNames.of(sends)
                            + " sends none; write engine: http");
        } else if (load.consumers().engine() != LoadSpec.Engine.HTTP) {
            spot.wrong(
                    "load.engine",
                    "the path " + name + " delivers by HTTP, and the engine "
                            + EnumNames.of(load.consumers().engine()) + " does not receive so; write engine: http");
        }
        if (load.target() == LoadSpec.Target.NULL && sends != LoadSpec.Engine.HTTP) {
            spot.wrong("bridge", "target null hands no events on; write bridge: null in this variant");
        }
        if (delivery.path().inKafka()) {
            inKafka(delivery, load, name);
        }
    }

    /** The only one that can be meant; a name that is nearly that of the dead letters is theirs. */
    private String topicOfEvents(List<String> topics) {
        String dead = variant.deadLetterTopic();
        List<String> others = topics.stream()
                .filter(topic -> variant.topics().containsKey(topic))
                .filter(topic ->
                        dead.isEmpty() || NearestWord.to(dead, List.of(topic)).isEmpty())
                .toList();
        return others.size() == 1 ? "topics: [" + others.get(0) + "]" : "the one that takes the events";
    }

    /** A channel and a source read one topic, and everything in it. */
    private void inKafka(BridgeSpec.Delivery delivery, LoadSpec load, String name) {
        List<String> topics = load.topics();
        if (topics.size() > 1) {
            spot.wrong(
                    "load.topics",
                    "the path " + name + " has one topic for its events, and these are " + String.join(", ", topics)
                            + "; write " + topicOfEvents(topics));
        }
        for (String topic : topics) {
            TopicSpec spec = variant.topics().get(topic);
            if (spec != null && spec.count() > 1) {
                spot.wrong(
                        "topics." + topic + ".count",
                        "the path " + name + " has one topic for its events, and these are " + spec.count()
                                + "; leave it out");
            }
            if (spec != null && spec.existing()) {
                spot.wrong(
                        "topics." + topic + ".existing",
                        "the events of others in it would be delivered, too; leave it out");
            }
        }
        boolean ours = delivery.path() != BridgeSpec.DeliveryPath.KAFKA_SOURCE;
        String most = (ours ? delivery.producer() : load.producers().properties())
                .getOrDefault("max.request.size", "")
                .strip();
        long bytes = most.matches("[0-9]{1,9}") ? Long.parseLong(most) : MAX_REQUEST_BYTES;
        if (load.messages().value().meanBytes() > bytes) {
            spot.wrong(
                    "load.value.size",
                    "is above the " + bytes + " bytes of max.request.size, so no event would be written; write a"
                            + " smaller one, or raise it in " + (ours ? "bridge.producer" : "load.producer"));
        }
    }

    /** Without a path of ours it is somebody else who sends events to the receiver. */
    private void foreign(LoadSpec load) {
        if (variant.bridge() instanceof BridgeSpec.Gateway) {
            spot.wrong(
                    "load.engine",
                    "a gateway puts records into Kafka and hands none on; write engine: { send: http, receive: client }"
                            + ", or a bridge.path");
        } else if (load.consumers().receiver().listen().isEmpty()) {
            spot.wrong(
                    "load.engine",
                    "nobody knows where events are received by HTTP; write bridge: { path: … }, or load: { listen:"
                            + " HOST:PORT } and tell that address to the system that delivers them");
        }
    }

    private void events(LoadSpec load) {
        HttpSpec.Request request = load.producers().http().request();
        boolean one = request == HttpSpec.Request.RAW || request == HttpSpec.Request.STRUCTURED;
        if (!one && load.producers().engine() == LoadSpec.Engine.HTTP) {
            spot.wrong(
                    "load.http.request",
                    "'" + EnumNames.of(request) + "' are records, and what is received by HTTP are events; write raw,"
                            + " with attributes in headers, or structured, as JSON");
        }
        if (request == HttpSpec.Request.STRUCTURED && load.producers().http().batch() > 1) {
            spot.wrong("load.http.batch", "a structured request is one event; leave it out");
        }
        if (!(load.messages().key() instanceof KeySpec.None)) {
            spot.wrong("load.key", "events have no keys, they go to partitions by turns; leave it out");
        }
        if (!(load.transaction() instanceof TransactionSpec.None)
                && load.producers().engine() != LoadSpec.Engine.HTTP) {
            spot.wrong("load.transaction", "events are in no transactions; leave it out");
        }
        if (!(load.backlog() instanceof BacklogSpec.None)) {
            spot.wrong("load.backlog", "a receiver is sent events, and catches up with none; leave it out");
        }
        if (load.consumers().group() instanceof GroupSpec.Named group) {
            spot.wrong("load.group", "a receiver by HTTP is in no group; leave out '" + group.name() + "'");
        }
        if (!load.consumers().properties().isEmpty()) {
            String name = load.consumers().properties().firstKey();
            spot.wrong(
                    "load.consumer." + name,
                    "a receiver by HTTP has no properties; those of what reads from Kafka go below bridge.consumer");
        }
        if (load.workers() > 1) {
            spot.wrong("load.workers", "what sends events and the one that receives them share a process; write 1");
        }
    }
}
