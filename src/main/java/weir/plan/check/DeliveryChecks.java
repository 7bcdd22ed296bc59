package weir.plan.check;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.ReceiverSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load sends what a path of delivery takes, and that something of it can be received by HTTP. */
record DeliveryChecks(ProblemSpot spot, Variant variant) {
    private static final long MAX_REQUEST_BYTES = 1 << 20;
    private static final Pattern URL =
            Pattern.compile("https?://([^/?#\\s@:]+|\\[[^]]+])(?::([0-9]{1,5}))?(/[^?#\\s]*)?");
    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "[::]");

    void check() {
        LoadSpec load = variant.load();
        boolean events = load.consumers().engine() == LoadSpec.Engine.HTTP && reads(load.workload());
        if (variant.bridge() instanceof BridgeSpec.Delivery delivery && spot.sound("bridge")) {
            if (delivery.path().inKafka()) {
                inKafka(delivery, load, EnumNames.of(delivery.path()));
            }
            new DispatchChecks(spot, variant, delivery).check();
        }
        if (events && spot.sound("bridge")) {
            receiver(load.consumers().receiver());
        }
    }

    static boolean reads(LoadSpec.Workload workload) {
        return workload == LoadSpec.Workload.DELIVER
                || workload == LoadSpec.Workload.CONSUME
                || workload == LoadSpec.Workload.STREAM;
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

    private void receiver(ReceiverSpec receiver) {
        if (!receiver.listen().isEmpty()
                && !loopback(host(receiver.listen()))
                && receiver.token().isEmpty()
                && receiver.certificate().toString().isEmpty()) {
            spot.wrong(
                    "load.listen",
                    "'" + receiver.listen() + "' takes events of anybody who reaches it; write 127.0.0.1, or receiver:"
                            + " { token: ${env:NAME} }, or a certificate and a key");
        }
    }

    /** True for the URL of a server. */
    static boolean url(String text) {
        return URL.matcher(text).matches();
    }

    /** True when a URL leads to an address that is listened on. */
    static boolean leads(String url, String listen) {
        Matcher m = URL.matcher(url);
        if (listen.isEmpty() || !m.matches()) {
            return false;
        }
        String port = m.group(2) != null ? m.group(2) : url.startsWith("https") ? "443" : "80";
        String host = m.group(1).toLowerCase(Locale.ROOT);
        String own = host(listen);
        boolean here = loopback(host) && (loopback(own) || EVERYWHERE.contains(own));
        return Integer.parseInt(port) == Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1))
                && (here || host.equals(own));
    }

    private static String host(String listen) {
        return listen.substring(0, listen.lastIndexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static boolean loopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
