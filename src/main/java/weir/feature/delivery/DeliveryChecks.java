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

/** The checks of a variant against the path of its events. */
record DeliveryChecks(ProblemSpot spot, Variant variant) {
    static final List<String> PROCESSES = List.of("ingress", "channel", "filter", "source");
    private static final double LONGEST_SECONDS = 3600;
    private static final int FEW_RETRIES = 10;

    private static final int ATTRIBUTES = 512;

    void check() {
        if (variant.bridge() instanceof PathSpec path && spot.sound("bridge")) {
            if (path.path().inKafka()) {
                inKafka(path, variant.load(), EnumNames.of(path.path()));
            }
            if (path.path() != PathSpec.DeliveryPath.DIRECT) {
                memory(path);
                retries(path.delivery());
                sink(path.delivery());
                spot.tree().section("bridge").items("filters").forEach(this::filter);
            }
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
            spot.wrong(at, "process '" + process + "' exists only on a path of events; write bridge: { path: … }");
        } else if (!path.path().processes().contains(process)) {
            String there = String.join(", ", path.path().processes());
            spot.wrong(
                    at,
                    "path " + EnumNames.of(path.path()) + " has no " + process
                            + (there.isEmpty() ? ", because this path has no process" : "; its processes: " + there));
        }
    }

    private String topicOfEvents(List<String> topics) {
        String dead = variant.bridge().deadLetterTopic();
        List<String> others = topics.stream()
                .filter(topic -> variant.topics().containsKey(topic))
                .filter(topic ->
                        dead.isEmpty() || NearestWord.to(dead, List.of(topic)).isEmpty())
                .toList();
        return others.size() == 1 ? "topics: [" + others.get(0) + "]" : "the topic for the events";
    }

    private void inKafka(PathSpec delivery, LoadSpec load, String name) {
        List<String> topics = load.topics();
        if (topics.size() > 1) {
            spot.wrong(
                    "load.topics",
                    "path " + name + " needs exactly one topic, found '" + String.join(", ", topics) + "'; write "
                            + topicOfEvents(topics));
        }
        for (String topic : topics) {
            TopicSpec spec = variant.topics().get(topic);
            if (spec != null && spec.count() > 1) {
                spot.wrong(
                        "topics." + topic + ".count",
                        "must be 1 with path " + name + ", found '" + spec.count() + "'; remove the key");
            }
            if (spec != null && spec.existing()) {
                spot.wrong("topics." + topic + ".existing", "an existing topic may hold other events; remove it");
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
                    "must be at most max.request.size (" + bytes + " bytes), or Kafka rejects every event; write a"
                            + " smaller size, or a larger limit in " + (ours ? "bridge.producer" : "load.producer"));
        }
    }

    private void memory(PathSpec delivery) {
        double bytes = variant.load().messages().value().meanBytes() + ATTRIBUTES;
        if (delivery.memory().bytes() < bytes) {
            spot.wrong(
                    "bridge.memory",
                    String.format(
                            Locale.ROOT,
                            "must be at least the size of an event (about %,.0f bytes); write more, such as 64MiB",
                            bytes));
        }
    }

    private void retries(PathSpec.RetrySpec asked) {
        double seconds = pauses(asked);
        if (seconds > LONGEST_SECONDS) {
            spot.wrong(
                    "bridge.delivery.retry",
                    "the sum of all " + EnumNames.of(asked.backoffPolicy())
                            + " pauses before retries must be at most 1 hour, found '" + length(seconds)
                            + "'; write fewer than " + asked.retry() + " retries, or a shorter backoffDelay");
        } else if (asked.backoffDelay().isZero() && asked.retry() > FEW_RETRIES) {
            spot.wrong(
                    "bridge.delivery.backoffDelay",
                    "must be above 0s with more than " + FEW_RETRIES
                            + " retries, found '0s'; write a delay, or at most " + FEW_RETRIES + " retries");
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
        String fault =
                asked.parksByHttp() ? urlFault(sink) : sink.isEmpty() || !spot.sound("topics") ? "" : topicFault(sink);
        if (!fault.isEmpty()) {
            spot.wrong("bridge.delivery.deadLetterSink", fault);
        }
    }

    /** Returns the fault of a topic for dead letters; empty for none. */
    private String topicFault(String sink) {
        TopicSpec topic = variant.topics().get(sink);
        if (topic == null) {
            List<String> all = List.copyOf(variant.topics().keySet());
            List<String> free = all.stream()
                    .filter(name -> !variant.load().topics().contains(name))
                    .toList();
            return "topic '" + sink + "' does not exist" + NearestWord.hint(sink, free.isEmpty() ? all : free)
                    + "; write a topic of this file, or http://HOST:PORT";
        }
        if (variant.topics().size() == 1) {
            return "'" + sink + "' is the topic of the events; write another topic, as in topics: { " + sink
                    + ": {}, parked: {} }";
        }
        if (variant.load().topics().contains(sink)) {
            return "'" + sink + "' is a topic of the load, so dead letters would be delivered again; remove it from"
                    + " load.topics, or write another topic";
        }
        return topic.count() > 1 || topic.existing()
                ? "'" + sink + "' must be one topic that Weir makes; remove 'count' and 'existing'"
                : "";
    }

    private String urlFault(String sink) {
        if (!HttpChecks.url(sink)) {
            return "'" + sink + "' is not the address of a server; write http://HOST:PORT";
        }
        if (sink.startsWith("https")) {
            return "'" + sink + "' needs TLS, which bridge.path does not support; write http://HOST:PORT, or a topic of"
                    + " this file";
        }
        return HttpChecks.leads(sink, variant.load().listen())
                ? "'" + sink + "' is the address of the receiver that rejected the event; write another address, or a"
                        + " topic of this file"
                : "";
    }

    /** Refuses an empty condition, because its meaning is unclear: every event or none. */
    private void filter(Tree tree) {
        if (!(tree instanceof Tree.Section condition)) {
            return;
        }
        condition.entries().forEach((form, of) -> {
            if (form.equals("not")) {
                if (of instanceof Tree.Section) {
                    filter(of);
                } else {
                    wrong(condition, form, "must contain a condition; write not: { exact: { type: … } }");
                }
            } else if (form.equals("all") || form.equals("any")) {
                if (condition.items(form).isEmpty()) {
                    wrong(condition, form, "must contain a condition; write " + form + ": [{ exact: { type: … } }]");
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
            wrong(condition, form, "must name an attribute; write " + form + ": { type: … }");
        }
        attributes.entries().forEach((attribute, value) -> {
            if (value instanceof Tree.Text text && (text.isNull() || text.text().isEmpty())) {
                wrong(attributes, attribute, "must have a value, because attributes of events are never empty");
            }
        });
    }

    private void wrong(Tree.Section at, String key, String message) {
        spot.wrong(at.place(key), "bridge.filters." + key, message);
    }
}
