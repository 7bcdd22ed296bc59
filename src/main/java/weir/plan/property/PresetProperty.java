package weir.plan.property;

import java.util.Locale;

/**
 * One property that a preset asks for, with its reason and its price.
 *
 * @param other the other end of the range; empty where there is no range
 * @param dated what a later release has made of it; empty where it holds as it did
 */
public record PresetProperty(
        Side side, String name, String value, String other, By by, String why, String costs, String dated) {
    /** Whose property it is. */
    public enum Side {
        PRODUCER,
        CONSUMER,
        TOPIC,
        BROKER;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Who sets it. */
    public enum By {
        /** A run that has the preset. */
        RUN,
        /** Weir, whatever the preset. */
        WEIR,
        /** The client, because of other properties. */
        CLIENT,
        /** Whoever sets up the brokers: it is not one value for all of them, or better left alone. */
        OPERATOR;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public PresetProperty {
        if (name.isEmpty() || value.isEmpty() || why.isEmpty() || costs.isEmpty()) {
            throw new IllegalArgumentException(
                    "a property of a preset needs a name, a value, a reason and a price, got '" + name + "'");
        }
    }

    PresetProperty atOtherEnd() {
        return other.isEmpty() || by != By.RUN
                ? this
                : new PresetProperty(side, name, other, value, by, why, costs, dated);
    }
}
