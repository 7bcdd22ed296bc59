package weir.feature.shape;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.cli.terminal.LineOutput;

/**
 * The experiment file of an observation. The topic with the most bytes is the load; the next topics are second loads
 * (the disturbance {@code load}), which run at the same time.
 */
final class ShapeFile {
    private static final int MOST_LOADS = 5;
    private static final int MOST_PRODUCERS = 100;
    private static final int LINE = 110;
    private static final double RANDOM_KEYS = 0.98;
    /** The default of {@code batch.size}. */
    private static final int DEFAULT_BATCH_BYTES = 16_384;

    private static final String LENGTH = "60s";

    private final Observation seen;
    private final StringBuilder text = new StringBuilder();
    private String indent = "";

    /**
     * The observed cluster.
     *
     * @param cluster the address and the release
     * @param began the time in UTC
     * @param topics at least one has records
     * @param remarks the parts of the cluster that were not visible
     * @param ends the end offsets, by topic and partition
     */
    record Observation(
            String cluster,
            int brokers,
            String began,
            String length,
            List<ObservedTopic> topics,
            Map<String, TopicFacts.Topic> facts,
            List<TopicFacts.Group> groups,
            List<String> remarks,
            Map<String, Map<Integer, Long>> ends) {}

    private ShapeFile(Observation seen) {
        this.seen = seen;
    }

    static String of(String file, Observation seen) {
        ShapeFile written = new ShapeFile(seen);
        written.write(file);
        return written.text.toString();
    }

    private void write(String file) {
        List<ObservedTopic> busy = seen.topics().stream()
                .filter(topic -> topic.records > 0 && rate(topic).perSecond() > 0)
                .sorted(Comparator.comparingDouble(ObservedTopic::bytesPerSecond)
                        .reversed())
                .toList();
        List<ObservedTopic> loads = busy.subList(0, Math.min(MOST_LOADS, busy.size()));
        ObservedTopic main = loads.get(0);
        String name = file.replaceAll(".*/", "").replaceFirst("\\.ya?ml$", "").toLowerCase(Locale.ROOT);
        comment("The load of " + HumanAmount.count(loads.size(), "topic") + " of " + seen.cluster()
                + ", which weir shape" + " observed for " + seen.length() + " from " + seen.began() + " on.");
        line("#");
        line("#   weir check " + file + " && weir run " + file);
        line("#");
        comment("The file has sizes, counts and rates, but no key, value or header of a record. Comments name what"
                + " the file cannot express, and what Weir could not see. To run the load smaller or larger, multiply"
                + " each rate by the same factor.");
        seen.remarks().forEach(this::comment);
        line("name: " + ("x" + name.replaceAll("[^a-z0-9-]+", "-")).substring(name.matches("[a-z0-9].*") ? 1 : 0));
        line("question: Does the test cluster carry the load of " + main.name
                + (loads.size() == 1 ? "" : " and " + HumanAmount.count(loads.size() - 1, "other topic")) + "?");
        line("");
        int replication = seen.facts().values().stream()
                .mapToInt(TopicFacts.Topic::replication)
                .max()
                .orElse(1);
        comment("the observed cluster has " + HumanAmount.count(seen.brokers(), "broker"));
        line("cluster: { brokers: " + replication + " }");
        line("");
        line("topics:");
        indent = "  ";
        loads.forEach(this::topic);
        line("");
        double all = busy.stream().mapToDouble(ObservedTopic::bytesPerSecond).sum();
        line("load:");
        Arrivals.Found rate = rate(main);
        load(main, all, true);
        indent = "";
        line("warmup: 10s");
        line("measure: " + (rate.steps() ? "null" : LENGTH));
        if (loads.size() > 1) {
            line("");
            comment("The loads of the other topics run at the same time.");
            line("during:");
            for (int i = 1; i < loads.size(); i++) {
                line("  load-" + (i + 1) + ":");
                line("    at: 0s");
                line("    for: " + (rate.steps() ? rate.stepSeconds() + "s" : LENGTH));
                line("    load:");
                indent = "      ";
                load(loads.get(i), all, false);
                indent = "";
            }
        }
        others(busy, all);
    }

    private void others(List<ObservedTopic> busy, double all) {
        List<String> lines = new ArrayList<>();
        busy.stream()
                .skip(MOST_LOADS)
                .forEach(topic -> lines.add(topic.name + ": " + rate(topic).mean() + ", values "
                        + topic.values.summary() + ", " + percent(topic.bytesPerSecond() / all) + " of the bytes"));
        seen.topics().stream()
                .filter(topic -> !busy.contains(topic))
                .forEach(topic -> lines.add(topic.name + ": "
                        + (topic.remarks().isEmpty() ? "no record arrived" : String.join("; ", topic.remarks()))));
        if (!lines.isEmpty()) {
            line("");
            comment("Topics without a load in this file:");
            lines.forEach(line -> comment("- " + line));
        }
    }

    private Arrivals.Found rate(ObservedTopic topic) {
        return topic.arrivals.found(topic.unread * 1000 <= topic.records && topic.appendTimes == 0, topic.data());
    }

    private void topic(ObservedTopic topic) {
        TopicFacts.Topic found =
                seen.facts().getOrDefault(topic.name, new TopicFacts.Topic(topic.name, 1, 1, new TreeMap<>()));
        String config = found.config().entrySet().stream()
                .map(property -> property.getKey() + ": " + quoted(property.getValue()))
                .collect(Collectors.joining(", "));
        entry(quoted(topic.name) + ": { partitions: " + found.partitions() + ", replication: " + found.replication()
                + (config.isEmpty() ? "" : ", config: { " + config + " }") + " }");
    }

    private void load(ObservedTopic topic, double all, boolean main) {
        comment("topic " + topic.name + ": " + percent(topic.bytesPerSecond() / all) + " of the bytes; Weir read "
                + HumanAmount.count(topic.records, "record") + " with " + HumanAmount.bytes(topic.bytes)
                + (topic.unread == 0
                        ? ""
                        : " and skipped " + HumanAmount.count(topic.unread, "record")
                                + ", because of --max-rate or retention"));
        topic.remarks().forEach(this::comment);
        entry("topics: [" + quoted(topic.name) + "]");
        if (main) {
            readers(topic);
        } else {
            groupsOf(topic)
                    .forEach(group ->
                            comment("for readers without a group, add workload: deliver; " + described(group, topic)));
        }
        Arrivals.Found rate = rate(topic);
        rate.remarks().forEach(this::comment);
        if (!main && rate.steps()) {
            comment("a second load has one rate; seen were " + rate.text());
        }
        entry("rate: " + (main || !rate.steps() ? rate.text() : rate.mean()));
        keys(topic);
        values(topic);
        batches(topic, main, rate);
        if (main) {
            comment("the report compares this load with its records in Kafka");
            entry("shape: { read: 5MB/s }");
        }
    }

    private List<TopicFacts.Group> groupsOf(ObservedTopic topic) {
        return seen.groups().stream()
                .filter(group -> group.reads(topic.name))
                .sorted(Comparator.comparingInt(group -> -group.members().getOrDefault(topic.name, 0)))
                .toList();
    }

    private void readers(ObservedTopic topic) {
        List<TopicFacts.Group> reading = groupsOf(topic);
        boolean deliver = !reading.isEmpty() && reading.get(0).members().containsKey(topic.name);
        entry("workload: " + (deliver ? "deliver" : "produce"));
        if (reading.isEmpty()) {
            comment("not visible: readers without a group, and groups that Weir may not describe");
        }
        for (int i = 0; i < reading.size(); i++) {
            TopicFacts.Group group = reading.get(i);
            comment((i == 0 && deliver ? "" : "not in this load: ") + described(group, topic));
            if (i == 0 && deliver) {
                line(indent + "group: { name: " + quoted(group.name()) + ", protocol: " + group.protocol() + " }");
                entry("consumers: " + group.members().getOrDefault(topic.name, 1));
                comment("not visible: the properties of the consumers, such as fetch.min.bytes and isolation.level,"
                        + " and the time of their work");
            }
        }
    }

    private String described(TopicFacts.Group group, ObservedTopic topic) {
        Map<Integer, Long> known = seen.ends().getOrDefault(topic.name, Map.of());
        long lag = group.committed().entrySet().stream()
                .filter(entry -> entry.getKey().topic().equals(topic.name))
                .mapToLong(
                        entry -> Math.max(0, known.getOrDefault(entry.getKey().partition(), 0L) - entry.getValue()))
                .sum();
        return "group '" + group.name() + "', protocol " + group.protocol() + ", has "
                + HumanAmount.count(group.members().getOrDefault(topic.name, 0), "reader") + " of this topic"
                + (group.committed().isEmpty() ? "" : " and a lag of " + HumanAmount.count(lag, "record"));
    }

    private void keys(ObservedTopic topic) {
        @Nullable KeySketch keys = topic.keySketch();
        if (keys == null) {
            entry("key: none");
            return;
        }
        if (keys.records() < topic.records) {
            comment("the file cannot express that " + percent(1 - (double) keys.records() / topic.records)
                    + " of the records have no key");
        }
        comment("sizes of keys: " + topic.keys.summary() + "; Weir chooses the sizes of its keys itself");
        if (keys.distinct() >= RANDOM_KEYS * keys.records()) {
            comment("nearly every record has its own key");
            entry("key: random");
            return;
        }
        ZipfFit fit = ZipfFit.of(keys);
        String shares = IntStream.of(1, 10, 100)
                .filter(top -> top < keys.distinct())
                .mapToObj(top -> "top " + top + ": " + percent(keys.share(top)) + " of the records, Zipf "
                        + percent(fit.share(top)))
                .collect(Collectors.joining("; "));
        comment("about " + HumanAmount.count(Math.round(keys.distinct()), "key") + " seen"
                + (shares.isEmpty() ? "" : "; " + shares));
        entry("key: { skewed: { distinct: " + fit.distinct() + ", exponent: "
                + BigDecimal.valueOf(fit.exponent()).stripTrailingZeros().toPlainString() + " } }");
    }

    private void values(ObservedTopic topic) {
        comment("sizes of values: " + topic.values.summary());
        if (topic.tombstones > 0) {
            comment("the file cannot express tombstones: " + percent((double) topic.tombstones / topic.records)
                    + " of the values are null, and have 1 byte here");
        }
        if (topic.withHeaders > 0) {
            comment("the file cannot express headers: " + percent((double) topic.withHeaders / topic.records)
                    + " of the records have headers; sizes of their names and values: "
                    + topic.headers.summary());
        }
        long most = Arrays.stream(topic.partitionRecords).max().orElse(0);
        if (topic.partitionRecords.length > 1 && most * topic.partitionRecords.length > 2 * topic.records) {
            comment("one of " + topic.partitionRecords.length + " partitions has "
                    + percent((double) most / topic.records) + " of the records");
        }
        String content = "";
        if (topic.codecBatches[0] < Arrays.stream(topic.codecBatches).sum()) {
            comment("compressed records have " + percent(topic.compressed()) + " of their size");
            content =
                    ", content: { random: " + Math.max(1, Math.min(100, Math.round(100 * topic.compressed()))) + "% }";
        } else {
            comment("not visible: how well the values compress, because the records are not compressed");
        }
        entry("value: { size: " + topic.values.text() + content + " }");
    }

    private void batches(ObservedTopic topic, boolean main, Arrivals.Found rate) {
        List<String> properties = new ArrayList<>();
        String codec = codec(topic);
        if (!codec.isEmpty() && !codec.equals("none")) {
            properties.add("compression.type: " + codec);
        }
        comment("sizes of batches: " + topic.batchBytes.summary() + "; a batch has "
                + HumanAmount.count(Math.round(topic.batchRecords.mean()), "record") + " on average, at most "
                + topic.batchRecords.max());
        if (topic.largestBatch > DEFAULT_BATCH_BYTES) {
            properties.add("batch.size: " + (topic.largestBatch + 1023) / 1024 * 1024);
        }
        if (topic.batchMillis.count() > 0 && topic.appendTimes == 0) {
            comment("linger.ms is an estimate: with this time, the records fill as many batches as Weir saw");
            boolean regular = rate.text().endsWith("/s");
            properties.add("linger.ms: " + Math.round(topic.lingerMillis(rate.perSecond(), seen.brokers(), regular)));
        } else {
            comment("not visible: linger.ms, because the times of the records in a batch do not differ");
        }
        producers(topic);
        if (topic.idempotent * 2 < topic.records) {
            comment("not visible: acks and the number of producers, because the producers are not idempotent");
            properties.add("enable.idempotence: false");
        }
        entry("producer: { " + String.join(", ", properties) + " }");
        if (topic.transactional > 0) {
            transactions(topic, main);
        }
    }

    private String codec(ObservedTopic topic) {
        long all = Arrays.stream(topic.codecBatches).sum();
        int most = IntStream.range(0, topic.codecBatches.length)
                .reduce(0, (one, other) -> topic.codecBatches[other] > topic.codecBatches[one] ? other : one);
        if (topic.codecBatches[most] < all) {
            comment("the file has one codec; batches by codec: " + topic.codecs());
        }
        TopicFacts.@Nullable Topic found = seen.facts().get(topic.name);
        if (found != null
                && !found.config().getOrDefault("compression.type", "producer").equals("producer")) {
            comment("not visible: the codec of the producers, because the brokers compress this topic again");
            return "";
        }
        return ObservedTopic.CODECS.get(most);
    }

    private void producers(ObservedTopic topic) {
        long seen = Math.round(topic.producers.distinct());
        if (topic.idempotent > 0) {
            comment(HumanAmount.count(seen, "idempotent producer") + " sent "
                    + percent((double) topic.idempotent / topic.records) + " of the records");
        }
        entry("producers: " + Math.max(1, Math.min(MOST_PRODUCERS, seen)));
    }

    private void transactions(ObservedTopic topic, boolean main) {
        double all = topic.transactions();
        comment(percent((double) topic.transactional / topic.records) + " of the records are in transactions;"
                + " Weir estimates the transactions from the times of their markers");
        if (all == 0) {
            comment("not visible: the length of a transaction, because none ended");
            return;
        }
        long records = Math.max(1, Math.round(topic.transactional / all));
        String transaction = "{ records: " + records + ", abort: "
                + percent((double) topic.aborts / topic.markersSeen).replace(" ", "") + " }";
        if (main && topic.transactional * 2 >= topic.records) {
            entry("transaction: " + transaction);
        } else {
            comment("this load has no transactions; seen were " + transaction);
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void comment(String comment) {
        wrapped(
                indent + "# ",
                LineOutput.harmless(comment).replaceAll("\\s+", " ").split(" ", -1),
                indent + "# ");
    }

    private void entry(String line) {
        wrapped(indent, line.split("(?<=,) ", -1), indent + "    ");
    }

    /** Writes words into lines; YAML joins the parts of a section in braces. */
    private void wrapped(String first, String[] words, String further) {
        StringBuilder current = new StringBuilder(first);
        boolean begun = false;
        for (String word : words) {
            if (begun && current.length() + word.length() >= LINE) {
                line(current.toString());
                current = new StringBuilder(further);
                begun = false;
            }
            current.append(begun ? " " : "").append(word);
            begun = true;
        }
        line(current.toString());
    }

    private static String quoted(String text) {
        boolean plain = text.matches("[a-zA-Z][a-zA-Z0-9._-]*")
                && !text.toLowerCase(Locale.ROOT).matches("true|false|null|yes|no|on|off|y|n");
        return plain || text.matches("[1-9][0-9]{0,17}")
                ? text
                : "'" + LineOutput.harmless(text).replaceAll("\\s+", " ").replace("'", "''") + "'";
    }

    static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent > 0 && percent < 10 ? "%.2f%%" : "%.0f%%", percent);
    }
}
