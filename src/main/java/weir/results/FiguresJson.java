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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.OperationsResult;
import weir.results.value.RateKind;

/** The spelling of figures in JSON: each under its word, beside the other facts of its trial or step; null is not known. */
final class FiguresJson {
    private static final String LAG = "lag";
    private static final String OPERATIONS = "operations";

    private FiguresJson() {}

    static final class Writer extends JsonSerializer<Figures> {
        @Override
        public void serialize(Figures figures, JsonGenerator json, SerializerProvider provider) throws IOException {
            for (RateKind rate : RateKind.values()) {
                json.writeObjectField(rate.word(), figures.rate(rate));
            }
            for (Count count : Count.LEDGER) {
                json.writeObjectField(count.word(), figures.count(count));
            }
            for (LatencyKind kind : Figures.OF_MESSAGES) {
                json.writeObjectField(kind.word(), figures.latency(kind));
            }
            for (LatencyKind kind : Figures.OF_OUTCOMES) {
                if (figures.latency(kind).count() > 0) {
                    json.writeObjectField(kind.word(), figures.latency(kind));
                }
            }
            json.writeObjectField(LAG, figures.lag());
            OperationsResult operations = figures.operations();
            if (operations != null) {
                json.writeObjectFieldStart(OPERATIONS);
                json.writeObjectField("count", operations.count());
                json.writeObjectField("perSecond", operations.perSecond());
                for (LatencyKind kind : Figures.OF_OPERATIONS) {
                    json.writeObjectField(kind.word(), figures.latency(kind));
                }
                json.writeObjectField("atomicity", operations.atomicity());
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
            JsonNode facts = context.readTree(json);
            Map<Count, Long> counts = new EnumMap<>(Count.class);
            for (Count count : Count.LEDGER) {
                put(counts, count, read(facts, count.word(), Long.class, context));
            }
            Map<RateKind, Double> rates = new EnumMap<>(RateKind.class);
            for (RateKind rate : RateKind.values()) {
                put(rates, rate, read(facts, rate.word(), Double.class, context));
            }
            Map<LatencyKind, LatencyResult> latencies = new EnumMap<>(LatencyKind.class);
            for (LatencyKind kind : Figures.OF_MESSAGES) {
                put(latencies, kind, read(facts, kind.word(), LatencyResult.class, context));
            }
            for (LatencyKind kind : Figures.OF_OUTCOMES) {
                put(latencies, kind, read(facts, kind.word(), LatencyResult.class, context));
            }
            JsonNode operations = facts.path(OPERATIONS);
            for (LatencyKind kind : Figures.OF_OPERATIONS) {
                put(latencies, kind, read(operations, kind.word(), LatencyResult.class, context));
            }
            LagResult lag = read(facts, LAG, LagResult.class, context);
            return new Figures(
                    counts,
                    rates,
                    latencies,
                    lag == null ? LagResult.NONE : lag,
                    read(facts, OPERATIONS, OperationsResult.class, context));
        }

        /** A reader of its own, for only then Jackson hands it the facts beside it. */
        @Override
        public JsonDeserializer<Figures> unwrappingDeserializer(NameTransformer names) {
            return new Reader();
        }

        private static <K, V> void put(Map<K, V> all, K key, @Nullable V value) {
            if (value != null) {
                all.put(key, value);
            }
        }

        private static <T> @Nullable T read(JsonNode facts, String name, Class<T> type, DeserializationContext context)
                throws IOException {
            JsonNode fact = facts.get(name);
            return fact == null || fact.isNull() ? null : context.readTreeAsValue(fact, type);
        }
    }
}
