package weir.feature.delivery;

import java.util.List;
import java.util.Locale;
import weir.feature.http.HttpChecks;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.NearestWord;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.check.Checks;
import weir.plan.check.EngineChecks;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;

/** Checks that a load sends what a delivery path accepts. */
record DeliveryChecks(ProblemSpot spot, Variant variant) {
    static final List<String> PROCESSES = List.of("ingress", "channel", "filter", "source");

    void check() {
        if (variant.bridge() instanceof PathSpec path && spot.sound("bridge")) {
            if (path.path().inKafka()) {
                inKafka(path, variant.load(), EnumNames.of(path.path()));
            }
            new DispatchChecks(spot, variant, path).check();
        }
        variant.during().forEach((name, disturbance) -> {
            if (disturbance instanceof DisturbanceSpec.Outage outage
                    && PROCESSES.contains(outage.server().role())) {
                outage("during." + name, outage.server().role());
            }
        });
    }

    private void outage(String at, String process) {
        if (!(variant.bridge() instanceof PathSpec path)) {
            spot.wrong(at, "there is no " + process + "; those stand on the way of events: bridge: { path: … }");
        } else if (!path.path().processes().contains(process)) {
            String there = String.join(", ", path.path().processes());
            spot.wrong(
                    at,
                    "there is no " + process + "; the path " + EnumNames.of(path.path()) + " has "
                            + (there.isEmpty() ? "no process at all" : there));
        }
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

    private void inKafka(PathSpec delivery, LoadSpec load, String name) {
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
        boolean ours = delivery.path() != PathSpec.DeliveryPath.KAFKA_SOURCE;
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

    record DispatchChecks(ProblemSpot spot, Variant variant, PathSpec delivery) {
        private static final String HERE = "bridge.";
        private static final double LONGEST_SECONDS = 3600;
        /** The number of retries without a pause above which they would flood a subscriber in trouble. */
        private static final int FEW_RETRIES = 10;

        private static final int ATTRIBUTES = 512;

        void check() {
            if (delivery.path() == PathSpec.DeliveryPath.DIRECT) {
                return;
            }
            bounds();
            retries(delivery.delivery());
            sink(delivery.delivery());
            spot.tree().section("bridge").items("filters").forEach(this::filter);
        }

        private void bounds() {
            double bytes = variant.load().messages().value().meanBytes() + ATTRIBUTES;
            if (delivery.memory().bytes() < bytes) {
                spot.wrong(
                        HERE + "memory",
                        String.format(
                                Locale.ROOT,
                                "has no room for a single event of about %,.0f bytes; write more, such as 64MiB",
                                bytes));
            }
        }

        private void retries(PathSpec.RetrySpec asked) {
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

        private static double pauses(PathSpec.RetrySpec asked) {
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

        private void sink(PathSpec.RetrySpec asked) {
            String sink = asked.deadLetterSink();
            String where = HERE + "delivery.deadLetterSink";
            if (asked.parksByHttp()) {
                if (!HttpChecks.url(sink)) {
                    spot.wrong(where, "'" + sink + "' is no address of a server; write http://HOST:PORT");
                } else if (sink.startsWith("https")) {
                    spot.wrong(
                            where,
                            "'" + sink
                                    + "' needs TLS, which the processes on a path do not speak; write http://HOST:PORT, or a"
                                    + " topic of this file");
                } else if (HttpChecks.leads(sink, variant.load().listen())) {
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
