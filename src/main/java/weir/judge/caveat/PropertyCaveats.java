package weir.judge.caveat;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;

/** The caveats about effective properties: about their values, and about differences from the requested values. */
public record PropertyCaveats(CaveatCollector caveats, List<Property> properties) {
    public static final CaveatType PROPERTY_IGNORED = CaveatType.named("property-ignored");
    static final CaveatType OVERRIDDEN_BY_THE_CLIENT = CaveatType.named("overridden-by-the-client");
    static final CaveatType OVERRIDDEN_BY_THE_TOPIC = CaveatType.named("overridden-by-the-topic");
    static final CaveatType COMPRESSES_UNREALISTICALLY = CaveatType.named("compresses-unrealistically");

    /** The compression ratio below which values are unrealistic: batches of real records shrink to 10–50 %. */
    private static final double UNREALISTIC = 0.1;

    private static final String COMPRESSION = "compression.type";

    public PropertyCaveats {
        properties = List.copyOf(properties);
    }

    public void overridden() {
        for (Property property : properties) {
            if (property.source() == Property.Source.OVERRIDDEN) {
                caveats.add(
                        OVERRIDDEN_BY_THE_CLIENT,
                        property.of(),
                        property.name(),
                        property.effective(),
                        property.requested().isEmpty()
                                ? "nothing (default " + property.byDefault() + ")"
                                : property.requested());
            }
        }
    }

    public void ignored() {
        for (Property property : properties) {
            boolean theirs = property.of().startsWith("topic") || property.of().startsWith("broker");
            caveats.addIf(
                    theirs
                            && property.source() == Property.Source.YOURS
                            && !same(property.requested(), property.effective()),
                    "ignored",
                    PROPERTY_IGNORED,
                    property.of(),
                    property.name(),
                    property.effective(),
                    property.requested());
        }
    }

    private static boolean same(String a, String b) {
        return a.replace(" ", "").equalsIgnoreCase(b.replace(" ", ""));
    }

    /**
     * Checks how well the values compress.
     *
     * @param same whether all records have one value
     * @param rate compressed over uncompressed bytes, as the producer reports; NaN without readings
     */
    public void compression(boolean same, double rate) {
        String codec = codec();
        if (codec.equals("none")) {
            return;
        }
        if (same || rate < UNREALISTIC) {
            String shrink = Double.isNaN(rate) || rate <= 0
                    ? ""
                    : String.format(Locale.ROOT, "; batches shrank to %.1f %%", rate * 100);
            String what = same ? "one value, repeated in every record" : "values with little information";
            caveats.add(COMPRESSES_UNREALISTICALLY, codec, what, shrink);
        }
    }

    private String codec() {
        return Property.effective(properties, "topic", COMPRESSION).stream()
                .filter(codec -> !List.of("producer", "uncompressed").contains(codec))
                .findFirst()
                .orElseGet(this::producerCodec);
    }

    private String producerCodec() {
        return Property.effective(properties, "producer", COMPRESSION).stream()
                .findFirst()
                .orElse("none");
    }

    public void topicCompression() {
        for (Property property : properties) {
            String topic = Objects.equals(property.effective(), "uncompressed") ? "none" : property.effective();
            boolean sends = properties.stream().anyMatch(other -> other.of().equals("producer"));
            if (sends
                    && property.of().startsWith("topic")
                    && property.name().equals(COMPRESSION)
                    && !topic.equals("producer")
                    && !topic.equals(producerCodec())) {
                caveats.add(OVERRIDDEN_BY_THE_TOPIC, property.of(), property.effective(), producerCodec());
            }
        }
    }
}
