package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The servers between the senders of a load and Kafka, or between Kafka and the receivers. Each feature adds its own
 * form.
 */
public interface BridgeSpec {
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    /** The processes that can be placed, by name. The number of a process determines on which host it runs. */
    default SortedMap<String, Integer> processes() {
        return Collections.emptySortedMap();
    }

    default boolean none() {
        return false;
    }

    default boolean startedByWeir() {
        return false;
    }

    default int instances() {
        return 0;
    }

    default Limits within() {
        return Limits.NONE;
    }

    /** The address of an existing server; empty for any other bridge. */
    default String url() {
        return "";
    }

    default String deadLetterTopic() {
        return "";
    }

    /** True if an acked record may exist only in the memory of a process, or if Weir did not start the server. */
    default boolean queued() {
        return false;
    }

    /** True if the records remain in Kafka after the bridge has delivered them. */
    default boolean kept() {
        return true;
    }

    /** A note on the meaning of acked if Kafka does not acknowledge; empty if it does. */
    default String ackedNote() {
        return "";
    }

    /** The properties of the bridge's own Kafka clients, by key paths that end with producer or consumer. */
    default Map<String, SortedMap<String, String>> clients() {
        return Map.of();
    }

    /**
     * The names of the consumer groups that the bridge joins. On the cluster, the prefix of a trial precedes each name.
     */
    default List<String> groups() {
        return List.of();
    }

    /** The seconds that the bridge usually takes to start on a machine without other load. */
    default double startSeconds() {
        return 0;
    }

    record None() implements BridgeSpec {
        @Override
        public boolean none() {
            return true;
        }
    }
}
