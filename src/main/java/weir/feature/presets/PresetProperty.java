package weir.feature.presets;

/**
 * One property of a preset, with the reason for its value and its costs.
 *
 * @param other the other end of a recommended range; empty without a range
 * @param dated a change in a later Kafka release that concerns the property; empty for none
 */
public record PresetProperty(
        Side side, String name, String value, String other, By by, String why, String costs, String dated) {
    public enum Side {
        PRODUCER,
        CONSUMER,
        TOPIC,
        BROKER
    }

    public enum By {
        RUN,
        WEIR,
        CLIENT,
        OPERATOR
    }

    public PresetProperty {
        if (name.isEmpty() || value.isEmpty() || why.isEmpty() || costs.isEmpty()) {
            throw new IllegalArgumentException(
                    "a property of a preset needs a name, a value, a reason and a price, found '" + name + "'");
        }
    }

    PresetProperty atOtherEnd() {
        return other.isEmpty() || by != By.RUN
                ? this
                : new PresetProperty(side, name, other, value, by, why, costs, dated);
    }
}
