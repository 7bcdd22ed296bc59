package weir.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The servers between senders and Kafka, or between Kafka and receivers. */
public interface BridgeSpec {
    default PlacedSpec placed() {
        return new PlacedSpec.Here();
    }

    /** The processes that the user can place, by name. The host of a process follows from its number. */
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

    /** True if records stay in Kafka after delivery by the bridge. */
    default boolean kept() {
        return true;
    }

    /** A note on the meaning of acked if another server than Kafka acknowledges; empty if Kafka does. */
    default String ackedNote() {
        return "";
    }

    /** The properties of the bridge's Kafka clients, by key paths that end with producer or consumer. */
    default Map<String, SortedMap<String, String>> clients() {
        return Map.of();
    }

    /** The names of the bridge's consumer groups, without the prefix of a trial. */
    default List<String> groups() {
        return List.of();
    }

    /** The usual seconds to start the bridge on an idle machine. */
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
