package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The servers between the senders of a load and Kafka, or between Kafka and its receivers; features bring the forms. */
public interface BridgeSpec {
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    /** The processes that can be placed, by name; the number decides which host a process gets. */
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

    /** True if an acked record may exist only in the memory of a process, or if the server is not ours. */
    default boolean queued() {
        return false;
    }

    /** True if the records stay in Kafka. */
    default boolean kept() {
        return true;
    }

    /** A note on the meaning of acked if Kafka does not acknowledge; empty if it does. */
    default String ackedNote() {
        return "";
    }

    /** The properties of its own Kafka clients, by key paths that end with producer or consumer. */
    default Map<String, SortedMap<String, String>> clients() {
        return Map.of();
    }

    /** The names of the consumer groups that it joins; each follows the prefix of a trial. */
    default List<String> groups() {
        return List.of();
    }

    /** The usual seconds of its start on a quiet machine. */
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
