package weir.plan.check;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.BridgeSpec;
import weir.plan.DispatchSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.ReceiverSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;

/** Checks that a load sends what a delivery path accepts, and that an HTTP receiver can get some of it. */
record DeliveryChecks(ProblemSpot spot, Variant variant) {
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

    private String topicOfEvents(List<String> topics) {
        String dead = variant.deadLetterTopic();
        List<String> others = topics.stream()
                .filter(topic -> variant.topics().containsKey(topic))
                .filter(topic ->
                        dead.isEmpty() || NearestWord.to(dead, List.of(topic)).isEmpty())
                .toList();
        return others.size() == 1 ? "topics: [" + others.get(0) + "]" : "the one that takes the events";
    }

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
        long bytes = EngineChecks.number(
                ours ? delivery.producer() : load.producers().properties(),
                "max.request.size",
                Checks.MAX_REQUEST_BYTES);
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

    static boolean url(String text) {
        return URL.matcher(text).matches();
    }

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

    record DispatchChecks(ProblemSpot spot, Variant variant, BridgeSpec.Delivery delivery) {
        private static final String HERE = "bridge.";
        private static final double LONGEST_SECONDS = 3600;
        /** The number of retries without a pause above which they would flood a subscriber in trouble. */
        private static final int FEW_RETRIES = 10;

        private static final int ATTRIBUTES = 512;

        void check() {
            if (delivery.path() == BridgeSpec.DeliveryPath.DIRECT) {
                return;
            }
            bounds();
            retries(delivery.dispatch().delivery());
            sink(delivery.dispatch().delivery());
            spot.tree().section("bridge").items("filters").forEach(this::filter);
        }

        private void bounds() {
            DispatchSpec dispatch = delivery.dispatch();
            double bytes = variant.load().messages().value().meanBytes() + ATTRIBUTES;
            if (dispatch.memory().bytes() < bytes) {
                spot.wrong(
                        HERE + "memory",
                        String.format(
                                Locale.ROOT,
                                "has no room for a single event of about %,.0f bytes; write more, such as 64MiB",
                                bytes));
            }
        }

        private void retries(DispatchSpec.RetrySpec asked) {
            double seconds = pauses(asked);
            if (seconds > LONGEST_SECONDS) {
                spot.wrong(
                        HERE + "delivery.retry",
                        "'" + asked.retry() + "' retries come to no end: the " + EnumNames.of(asked.backoffPolicy())
                                + " pauses between them are " + length(seconds)
                                + " together, and an hour is the most; write fewer, or a shorter backoffDelay");
            } else if (asked.backoffDelay().isZero() && asked.retry() > FEW_RETRIES) {
                spot.wrong(
                        HERE + "delivery.backoffDelay",
                        "'0s' sends an event " + (asked.retry() + 1L)
                                + " times without a pause to whoever cannot take it;" + " write a delay, or at most "
                                + FEW_RETRIES + " retries");
            }
        }

        private static double pauses(DispatchSpec.RetrySpec asked) {
            double delay = asked.backoffDelay().toNanos() / 1e9;
            double n = asked.retry();
            return switch (asked.backoffPolicy()) {
                case LINEAR -> delay * n * (n + 1) / 2;
                case EXPONENTIAL -> delay * (Math.pow(2, n) - 1);
            };
        }

        private static String length(double seconds) {
            double hours = seconds / 3600;
            if (hours > 24 * 365) {
                return "more than a year";
            }
            return String.format(Locale.ROOT, hours > 48 ? "%.0f days" : "%.1f hours", hours > 48 ? hours / 24 : hours);
        }

        private void sink(DispatchSpec.RetrySpec asked) {
            String sink = asked.deadLetterSink();
            String where = HERE + "delivery.deadLetterSink";
            if (asked.parksByHttp()) {
                if (!DeliveryChecks.url(sink)) {
                    spot.wrong(where, "'" + sink + "' is no address of a server; write http://HOST:PORT");
                } else if (sink.startsWith("https")) {
                    spot.wrong(
                            where,
                            "'" + sink
                                    + "' needs TLS, which the processes on a path do not speak; write http://HOST:PORT, or a"
                                    + " topic of this file");
                } else if (DeliveryChecks.leads(
                        sink, variant.load().consumers().receiver().listen())) {
                    spot.wrong(
                            where,
                            "'" + sink + "' is the receiver itself, which did not take the event before; write another"
                                    + " address, or a topic of this file");
                }
                return;
            }
            if (sink.isEmpty() || !spot.sound("topics")) {
                return;
            }
            TopicSpec topic = variant.topics().get(sink);
            if (topic == null) {
                List<String> all = List.copyOf(variant.topics().keySet());
                List<String> free = all.stream()
                        .filter(name -> !variant.load().topics().contains(name))
                        .toList();
                spot.wrong(
                        where,
                        "there is no topic '" + sink + "'" + NearestWord.hint(sink, free.isEmpty() ? all : free)
                                + "; write a topic of this file, or http://HOST:PORT");
            } else if (variant.topics().size() == 1) {
                spot.wrong(
                        where,
                        "'" + sink + "' is the only topic, in which the events themselves are; write another one, as in"
                                + " topics: { " + sink + ": {}, parked: {} }");
            } else if (variant.load().topics().contains(sink)) {
                spot.wrong(
                        where,
                        "'" + sink + "' is a topic of the load, too, so dead letters would come again; take it out of"
                                + " load.topics, or write another one");
            } else if (topic.count() > 1 || topic.existing()) {
                spot.wrong(where, "'" + sink + "' has to be one topic that is made here; leave out count and existing");
            }
        }

        /** Refuses an empty condition, which would match every event or none. */
        private void filter(Tree tree) {
            if (!(tree instanceof Tree.Section condition)) {
                return;
            }
            condition.entries().forEach((form, of) -> {
                if (form.equals("not")) {
                    if (of instanceof Tree.Section) {
                        filter(of);
                    } else {
                        wrong(condition, form, "is the opposite of nothing; write not: { exact: { type: … } }");
                    }
                } else if (form.equals("all") || form.equals("any")) {
                    if (condition.items(form).isEmpty()) {
                        wrong(condition, form, "has no condition; write " + form + ": [{ exact: { type: … } }]");
                    }
                    condition.items(form).forEach(this::filter);
                } else {
                    attributes(condition, form);
                }
            });
        }

        private void attributes(Tree.Section condition, String form) {
            Tree.Section attributes = condition.section(form);
            if (attributes.entries().isEmpty()) {
                wrong(condition, form, "names no attribute; write " + form + ": { type: … }");
            }
            attributes.entries().forEach((attribute, value) -> {
                if (value instanceof Tree.Text text
                        && (text.isNull() || text.text().isEmpty())) {
                    wrong(attributes, attribute, "has no value to compare with, and no attribute is empty; write one");
                }
            });
        }

        private void wrong(Tree.Section at, String key, String message) {
            spot.wrong(at.place(key), HERE + "filters." + key, message);
        }
    }
}
