package weir.results;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;

/**
 * The JSON form of figures. Each figure is a property of the object of the trial or step; null means unknown. Figures
 * of operations with more than one record have their own object.
 */
final class FiguresJson {
    private static final String LAG = "lag";
    private static final String OPERATIONS = "operations";
    private static final String COUNT = "count";
    private static final String PER_SECOND = "perSecond";
    private static final String ATOMICITY = "atomicity";

    private static final List<LatencyKind> SOMETIMES = Stream.of(Figures.OF_OUTCOMES, Figures.OF_READERS)
            .flatMap(List::stream)
            .toList();

    private FiguresJson() {}

    static final class Writer extends JsonSerializer<Figures> {
        @Override
        public void serialize(Figures figures, JsonGenerator json, SerializerProvider provider) throws IOException {
            for (RateKind rate : RateKind.OF_MESSAGES) {
                json.writeObjectField(rate.word(), figures.rate(rate));
            }
            for (Count count : Count.LEDGER) {
                json.writeObjectField(count.word(), figures.count(count));
            }
            for (LatencyKind kind : Figures.OF_MESSAGES) {
                json.writeObjectField(kind.word(), figures.latency(kind));
            }
            for (LatencyKind kind : SOMETIMES) {
                if (figures.latency(kind).count() > 0) {
                    json.writeObjectField(kind.word(), figures.latency(kind));
                }
            }
            json.writeObjectField(LAG, figures.lag());
            if (figures.operates()) {
                json.writeObjectFieldStart(OPERATIONS);
                json.writeObjectField(COUNT, figures.count(Count.OPERATIONS));
                json.writeObjectField(PER_SECOND, figures.rate(RateKind.OPERATIONS));
                for (LatencyKind kind : Figures.OF_OPERATIONS) {
                    json.writeObjectField(kind.word(), figures.latency(kind));
                }
                json.writeObjectField(ATOMICITY, figures.atomicity());
                json.writeEndObject();
            }
        }

        @Override
        public boolean isUnwrappingSerializer() {
            return true;
        }
    }

    static final class Reader extends JsonDeserializer<Figures> {
        @Override
        public Figures deserialize(JsonParser json, DeserializationContext context) throws IOException {
            Facts messages = new Facts(context.readTree(json), context);
            Facts operations = new Facts(messages.facts.path(OPERATIONS), context);
            Map<Count, Long> counts = new EnumMap<>(Count.class);
            messages.read(counts, Count.LEDGER, Count::word, Long.class);
            operations.read(counts, List.of(Count.OPERATIONS), count -> COUNT, Long.class);
            Map<RateKind, Double> rates = new EnumMap<>(RateKind.class);
            messages.read(rates, RateKind.OF_MESSAGES, RateKind::word, Double.class);
            operations.read(rates, List.of(RateKind.OPERATIONS), rate -> PER_SECOND, Double.class);
            Map<LatencyKind, LatencyResult> latencies = new EnumMap<>(LatencyKind.class);
            messages.read(latencies, Figures.OF_MESSAGES, LatencyKind::word, LatencyResult.class);
            messages.read(latencies, SOMETIMES, LatencyKind::word, LatencyResult.class);
            operations.read(latencies, Figures.OF_OPERATIONS, LatencyKind::word, LatencyResult.class);
            LagResult lag = messages.one(LAG, LagResult.class);
            return new Figures(
                    counts,
                    rates,
                    latencies,
                    lag == null ? LagResult.NONE : lag,
                    operations.one(ATOMICITY, Atomicity.class));
        }

        /** A separate reader, because only then Jackson passes the other properties of the object to it. */
        @Override
        public JsonDeserializer<Figures> unwrappingDeserializer(NameTransformer names) {
            return new Reader();
        }
    }

    private record Facts(JsonNode facts, DeserializationContext context) {
        <T> @Nullable T one(String name, Class<T> type) throws IOException {
            JsonNode fact = facts.get(name);
            return fact == null || fact.isNull() ? null : context.readTreeAsValue(fact, type);
        }

        <K, V> void read(Map<K, V> into, List<K> rows, Function<K, String> word, Class<V> type) throws IOException {
            for (K row : rows) {
                V value = one(word.apply(row), type);
                if (value != null) {
                    into.put(row, value);
                }
            }
        }
    }
}
