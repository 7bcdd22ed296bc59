package weir.plan.syntax;

import java.util.Arrays;
import java.util.List;
import weir.plan.EnumNames;
import weir.plan.NearestWord;

/** Every named reason to doubt a number; {@code caveats.yaml} describes them, and reports list them in this order. */
public enum CaveatType {
    LEDGER_DOES_NOT_BALANCE,
    CLOCK_STEPPED,
    NOTHING_MEASURED,
    NOT_STEADY,
    GENERATOR_LATE,
    RATE_MISSED,
    RECEIVED_BEFORE_DUE,
    E2E_UNKNOWN,
    CLEAN_UP_FAILED,
    HOST_LOST,
    PROPERTY_IGNORED,
    INTERRUPTED,
    WARM_UP_CUT_SHORT,
    FIRST_TRIAL_COLD,
    NOT_WARM,
    SLOW_PATH,
    CONNECTIONS_NOT_KEPT,
    BREAK_IS_OURS,
    PARTITIONS_DO_NOT_ADD,
    GENERATOR_NEAR_ITS_LIMIT,
    THROTTLED_BY_QUOTA,
    PROXY_ON_THE_PATH,
    SHARED_CORES,
    HOST_NOISY,
    STRESS_MISSED,
    WRITEBACK_UNLIMITED,
    FAULT_MISSED,
    BRIDGE_DIED,
    SERVERS_TAKEN_OUT,
    FEW_REPEATS,
    VARIANTS_DIFFER_IN_MORE,
    BROKERS_COUNT_DIFFERS,
    BROKERS_UNSEEN,
    UNREAD,
    E2E_UNCERTAIN,
    EXPIRED,
    CACHE_NOT_AS_ASKED,
    COMPRESSES_UNREALISTICALLY,
    OVERRIDDEN_BY_THE_CLIENT,
    OVERRIDDEN_BY_THE_TOPIC,
    GENERATOR_PAUSED,
    PROFILE_TOO_SHORT,
    MOST_FAILED,
    CHANNEL_FULL,
    EVENTS_DROPPED,
    SEVERAL_CHANGES,
    PRESET_NOT_MET,
    DATA_ON_TMPFS,
    PAGE_CACHE_ABSORBED_THE_WRITES,
    READ_FROM_THE_PAGE_CACHE,
    PARTITIONS_ADDED,
    EARLIER_RECORDS_COUNTED,
    THIN_PERCENTILE,
    FEW_PROFILER_SAMPLES;

    /** The table, loaded lazily because the names of caveats do not need it. */
    private static final class Rows {
        static final Tree.Section TABLE = Keys.table("caveats.yaml");
    }

    /**
     * A pattern for the observation behind a caveat.
     *
     * @param weakens a pattern for the weakened figures; empty for those of the type
     */
    public record Evidence(String says, String weakens) {}

    /** The severity of a caveat; only {@code INVALID} makes the trial invalid. */
    public enum Level {
        NOTE,
        DOUBT,
        INVALID;

        public Level lowered() {
            return this == INVALID ? DOUBT : NOTE;
        }
    }

    public String word() {
        return EnumNames.of(this);
    }

    private Tree.Section row() {
        return Rows.TABLE.section(word());
    }

    public Level level() {
        return EnumNames.constant(row().text("level"), Level.class);
    }

    public String when() {
        return row().text("when");
    }

    public String weakens() {
        return row().text("weakens");
    }

    public String advice() {
        return row().text("advice");
    }

    public Evidence evidence(String name) {
        Tree one =
                (name.isEmpty() ? row() : row().section("evidence")).entries().get(name.isEmpty() ? "evidence" : name);
        if (one == null) {
            throw new IllegalArgumentException("caveats.yaml: " + word() + " has no evidence '" + name + "'");
        }
        return one instanceof Tree.Section pattern
                ? new Evidence(pattern.text("says"), pattern.text("weakens"))
                : new Evidence(one.line(), "");
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(CaveatType::word).toList();
    }

    /**
     * The type of this name.
     *
     * @throws IllegalArgumentException naming the nearest and all caveats if this one is unknown
     */
    public static CaveatType named(String word) {
        for (CaveatType type : values()) {
            if (type.word().equals(word)) {
                return type;
            }
        }
        List<String> near = NearestWord.to(word, words());
        throw new IllegalArgumentException("'" + word + "' is no caveat"
                + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?") + "; allowed: "
                + String.join(", ", words()));
    }
}
