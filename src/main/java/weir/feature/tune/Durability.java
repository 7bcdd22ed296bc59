package weir.feature.tune;

import java.util.Locale;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/**
 * The durability class of a variant's records, from {@code acks}, the minimum of in-sync replicas and idempotence.
 *
 * @param acks number for {@code acks}: 0 for none, 1 for the leader (also if it is the only replica), 2 for all in-sync
 *     replicas
 * @param inSync number of replicas that certainly have a record when it is acknowledged
 */
record Durability(int acks, int inSync, boolean idempotent) {
    private static final int LEADER = 1;
    private static final int ALL = 2;
    private static final int MOST_IN_FLIGHT = 5;

    static Durability of(Variant variant) {
        int acks = switch (property(variant, "acks", "all")) {
            case "0" -> 0;
            case "1" -> 1;
            default -> ALL;
        };
        int replicas = variant.usedTopics().values().stream()
                .mapToInt(topic -> topic.existing()
                        ? demanded(variant, topic)
                        : Math.min(topic.replication(), demanded(variant, topic)))
                .min()
                .orElse(1);
        // With one replica, an acknowledgement by all replicas is one by the leader.
        boolean alone =
                variant.usedTopics().values().stream().anyMatch(topic -> !topic.existing() && topic.replication() == 1);
        boolean idempotent = acks == ALL
                && property(variant, "enable.idempotence", "true").equals("true")
                && !property(variant, "retries", "1").equals("0")
                && number(property(variant, "max.in.flight.requests.per.connection", "5")) <= MOST_IN_FLIGHT;
        return new Durability(acks == ALL && alone ? LEADER : acks, acks == ALL ? replicas : acks, idempotent);
    }

    /** A class with a higher rank loses fewer records. */
    int rank() {
        return 2 * (acks == ALL ? 1 + inSync : acks) + (idempotent ? 1 : 0);
    }

    /** Returns words such as {@code acks all, at least 2 in sync, idempotent}. */
    String text() {
        String who = acks == ALL
                ? "acks all, at least " + inSync + " in sync"
                : acks == LEADER ? "the leader alone" : "acks 0";
        return who + (idempotent ? ", idempotent" : "");
    }

    private static int demanded(Variant variant, TopicSpec topic) {
        String name = "min.insync.replicas";
        return number(
                topic.config().getOrDefault(name, variant.cluster().broker().getOrDefault(name, "1")));
    }

    private static String property(Variant variant, String name, String fallback) {
        String value = variant.load().producers().properties().getOrDefault(name, fallback);
        String text = value.strip().toLowerCase(Locale.ROOT);
        return name.equals("acks") && text.equals("-1") ? "all" : text;
    }

    /** A text that is no number, such as a reference to a secret, counts as the lowest number. */
    private static int number(String text) {
        return text.strip().matches("[0-9]{1,9}") ? Integer.parseInt(text.strip()) : 1;
    }
}
