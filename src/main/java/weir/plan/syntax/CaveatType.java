package weir.plan.syntax;

import java.util.List;
import weir.plan.EnumNames;
import weir.plan.NearestWord;

/** A named reason to doubt a number: a row in {@code caveats.yaml} of the plan or of a feature. */
public record CaveatType(String word, Tree.Section row) {
    /** All caveats in the order of reports. */
    public static final List<CaveatType> ALL = Keys.table("caveats.yaml").entries().entrySet().stream()
            .map(row -> new CaveatType(row.getKey(), (Tree.Section) row.getValue()))
            .toList();

    /** The pattern of a sentence about the observation; {@code weakens} is empty for the figures of the type. */
    public record Evidence(String says, String weakens) {}

    /** The severity of a caveat. Only {@code INVALID} makes the trial invalid. */
    public enum Level {
        NOTE,
        DOUBT,
        INVALID;

        public Level lowered() {
            return this == INVALID ? DOUBT : NOTE;
        }
    }

    public Level level() {
        return EnumNames.constant(row.text("level"), Level.class);
    }

    public String when() {
        return row.text("when");
    }

    public String weakens() {
        return row.text("weakens");
    }

    public String advice() {
        return row.text("advice");
    }

    public boolean refuses() {
        return row.has("refuses");
    }

    /** The suffix of event names that cause this caveat; empty if code raises it. */
    public String event() {
        return row.text("event");
    }

    public Evidence evidence(String name) {
        Tree one = (name.isEmpty() ? row : row.section("evidence")).entries().get(name.isEmpty() ? "evidence" : name);
        if (one == null) {
            throw new IllegalArgumentException("caveats.yaml: " + word + " has no evidence '" + name + "'");
        }
        return one instanceof Tree.Section pattern
                ? new Evidence(pattern.text("says"), pattern.text("weakens"))
                : new Evidence(one.line(), "");
    }

    public static List<String> words() {
        return ALL.stream().map(CaveatType::word).toList();
    }

    /**
     * The type of this name.
     *
     * @throws IllegalArgumentException with the nearest name and all names if the name is unknown
     */
    public static CaveatType named(String word) {
        for (CaveatType type : ALL) {
            if (type.word.equals(word)) {
                return type;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is not a caveat" + NearestWord.meant(word, words())
                + "; allowed: " + String.join(", ", words()));
    }
}
