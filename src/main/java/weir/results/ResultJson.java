package weir.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.ModelKind;
import weir.feature.SearchKind;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** The JSON form of all Java records of results. It is in one class, so that the records need no annotations. */
public final class ResultJson {
    /** The size limit of files in a run folder, far above any file of Weir. */
    private static final long MAX_BYTES = 64L << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .addModule(new SimpleModule()
                    .addDeserializer(Long.class, new Numbers<>(Long.class))
                    .addDeserializer(Double.class, new Numbers<>(Double.class))
                    .addDeserializer(double.class, new Numbers<>(Double.class))
                    .addSerializer(Figures.class, new FiguresJson.Writer())
                    .addDeserializer(Figures.class, new FiguresJson.Reader()))
            .annotationIntrospector(new Rows())
            .addMixIn(TrialResult.Failure.class, FailuresOfEarlierBuilds.class)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .build();

    private ResultJson() {}

    /** Properties that most runs and earlier builds lack. They are omitted if empty. */
    private static final Set<String> RARE = Set.of(
            "LatencyResult.error",
            "TrialResult.catchUp",
            "TrialResult.allocated",
            "TrialResult.hops",
            "TrialResult.failures",
            "Machine.hosts",
            "HostFacts.others",
            "ComparisonResult.published",
            "OverheadResult.atLeast",
            "Conclusion.capacity",
            "Conclusion.capacities",
            "Conclusion.details",
            "RequestedExperiment.unjudged");

    private static final Set<String> LATER = Set.of(
            "StoredConditions.hosts",
            "StoredConditions.brokers",
            "Measured.disturbed",
            "RunResult.models",
            "HostFacts.machine",
            "HostFacts.brokers");

    /**
     * The names of properties by their methods, if they differ from the components. A reader of the JSON may expect a
     * single breaking point.
     */
    private static final Map<String, String> NAMED = Map.of(
            "LatencyResult.p999", "p99.9",
            "LatencyResult.p9999", "p99.99",
            "LatencyResult.samples", "count",
            "Property.byDefault", "default",
            "Conclusion.breakingPoint", "breakingPoint");

    private static final class Rows extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable PropertyName findNameForSerialization(Annotated member) {
            String name = member instanceof AnnotatedMethod ? NAMED.get(name(member)) : null;
            return name == null ? super.findNameForSerialization(member) : PropertyName.construct(name);
        }

        @Override
        public @Nullable NameTransformer findUnwrappingNameTransformer(AnnotatedMember member) {
            return member.getRawType() == Figures.class
                    ? NameTransformer.NOP
                    : super.findUnwrappingNameTransformer(member);
        }

        @Override
        public @Nullable Boolean hasAsValue(Annotated member) {
            return name(member).equals("Count.word") ? Boolean.TRUE : super.hasAsValue(member);
        }

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            return required(member) ? Boolean.TRUE : super.hasRequiredMarker(member);
        }

        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated member) {
            return RARE.contains(name(member))
                    ? JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, null)
                    : super.findPropertyInclusion(member);
        }

        @Override
        public JsonSetter.Value findSetterInfo(Annotated member) {
            boolean empty = optional(member) || name(member).equals("LatencyResult.count");
            Nulls nulls = empty ? Nulls.AS_EMPTY : required(member) ? Nulls.FAIL : Nulls.DEFAULT;
            return JsonSetter.Value.construct(nulls, Nulls.FAIL);
        }

        @Override
        public @Nullable Boolean hasAnyGetter(Annotated member) {
            return answers(member) ? Boolean.TRUE : super.hasAnyGetter(member);
        }

        @Override
        public @Nullable Boolean hasAnySetter(Annotated member) {
            return answers(member) ? Boolean.TRUE : super.hasAnySetter(member);
        }

        @Override
        public @Nullable Object findContentDeserializer(Annotated member) {
            return answers(member) ? AnswerReader.class : super.findContentDeserializer(member);
        }

        private static boolean answers(Annotated member) {
            return name(member).equals("Conclusion.searches") || name(member).equals("RunResult.models");
        }

        private static boolean optional(Annotated member) {
            Class<?> type = member.getRawType();
            boolean some = type == String.class || type == List.class || Map.class.isAssignableFrom(type);
            return some && (RARE.contains(name(member)) || LATER.contains(name(member)));
        }

        /** True for a required part of a record. Figures are properties of the same object. */
        private static boolean required(Annotated member) {
            return member instanceof AnnotatedParameter part
                    && part.getDeclaringClass().isRecord()
                    && !optional(member)
                    && member.getRawType() != Figures.class
                    && !component(part).getAnnotatedType().isAnnotationPresent(Nullable.class);
        }

        private static RecordComponent component(AnnotatedParameter part) {
            return part.getDeclaringClass().getRecordComponents()[part.getIndex()];
        }

        private static String name(Annotated annotated) {
            if (!(annotated instanceof AnnotatedMember member)) {
                return "";
            }
            Class<?> of = member.getDeclaringClass();
            return of.getSimpleName() + "."
                    + (member instanceof AnnotatedParameter part && of.isRecord()
                            ? component(part).getName()
                            : member.getName());
        }
    }

    abstract static class FailuresOfEarlierBuilds {
        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        FailuresOfEarlierBuilds(String reason, long count, String limit) {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static TrialResult.Failure of(String reason) {
            return TrialResult.Failure.of(reason);
        }
    }

    /** A reader of the answers of features by their name, which skips unknown names. */
    static final class AnswerReader extends JsonDeserializer<List<?>> {
        @Override
        public List<?> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String name = parser.currentName();
            Map<String, Class<?>> forms = new HashMap<>();
            Features.each(SearchKind.class).forEach(kind -> forms.put(kind.answers(), kind.found()));
            Features.each(ModelKind.class).forEach(kind -> forms.putAll(kind.results()));
            Class<?> form = forms.get(name);
            if (form == null) {
                parser.skipChildren();
                return List.of();
            }
            return context.readValue(parser, context.getTypeFactory().constructCollectionType(List.class, form));
        }

        @Override
        public List<?> getNullValue(DeserializationContext context) {
            return List.of();
        }
    }

    public static String write(Object value) {
        return written(MAPPER.writer(), value);
    }

    public static String line(Object value) {
        return written(MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT), value);
    }

    private static String written(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing " + value.getClass().getSimpleName() + " as JSON", e);
        }
    }

    public static <T> T read(Path file, Class<T> type) {
        try {
            RunFiles.own(file);
            if (Files.size(file) > MAX_BYTES) {
                throw new UnreadableRunException(String.format(
                        Locale.ROOT, "%s has %d bytes; must be at most %d", file, Files.size(file), MAX_BYTES));
            }
            @Nullable T value = MAPPER.readValue(file.toFile(), type);
            if (value == null) {
                throw new UnreadableRunException(file + ": has null instead of an object");
            }
            if (value instanceof Object[] all && Arrays.asList(all).contains(null)) {
                throw new UnreadableRunException(file + ": is not what a run writes: ["
                        + Arrays.asList(all).indexOf(null) + "] is missing");
            }
            return value;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new UnreadableRunException(file + (line > 0 ? " (line " + line + ")" : "")
                    + ": was not written by a run: " + oneLine(JsonMismatch.text(e)));
        } catch (IOException e) {
            throw new UnreadableRunException(file + ": cannot be read: " + oneLine(String.valueOf(e.getMessage())));
        }
    }

    /** Reads a file whose form has a version; throws {@link UnreadableRunException} for another version. */
    public static <T> T read(Path file, Class<T> type, ToIntFunction<T> version, int known) {
        T value = read(file, type);
        int found = version.applyAsInt(value);
        if (found != known) {
            throw new UnreadableRunException(file + ": has version " + found + ", but this Weir reads version " + known
                    + "; use the Weir that wrote it");
        }
        return value;
    }

    private static String oneLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > 200 ? line.substring(0, 200) + "…" : line;
    }

    static final class JsonMismatch {
        private JsonMismatch() {}

        static String text(JsonProcessingException e) {
            if (!(e instanceof JsonMappingException mapping)) {
                return "it is not JSON: " + e.getOriginalMessage();
            }
            String place = place(mapping.getPath());
            if (e instanceof ValueInstantiationException) {
                return place
                        + (e.getCause() instanceof IllegalArgumentException reason
                                ? ": " + reason.getMessage()
                                : " is incomplete");
            }
            if (e instanceof InvalidNullException || e.getOriginalMessage().startsWith("Missing required ")) {
                return place + " is missing";
            }
            if (e instanceof MismatchedInputException mismatched) {
                return place + " must be " + kind(mismatched.getTargetType());
            }
            return place + (e.getOriginalMessage().startsWith("is ") ? " " : ": ") + e.getOriginalMessage();
        }

        private static String place(List<JsonMappingException.Reference> path) {
            String place = path.stream()
                    .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                    .collect(Collectors.joining());
            return place.isEmpty() ? "the whole" : place.startsWith(".") ? place.substring(1) : place;
        }

        private static String kind(@Nullable Class<?> type) {
            if (type == null || Map.class.isAssignableFrom(type) || type.isRecord()) {
                return "an object with all its fields";
            }
            if (type.isEnum()) {
                return "one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(constant -> String.valueOf(constant).toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "));
            }
            if (Collection.class.isAssignableFrom(type) || type.isArray()) {
                return "a list";
            }
            return Map.of(
                            Long.class, "a whole number",
                            long.class, "a whole number",
                            Integer.class, "a whole number",
                            int.class, "a whole number",
                            Double.class, "a number",
                            double.class, "a number",
                            boolean.class, "true or false",
                            String.class, "a text")
                    .getOrDefault(type, "something else");
        }
    }

    /** A reader of numbers in files. It rejects infinite numbers and negative counts. */
    private static final class Numbers<T extends Number> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1;

        private final Class<T> type;

        private Numbers(Class<T> type) {
            super(type);
            this.type = type;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            boolean whole = type == Long.class;
            if (whole
                    ? !json.hasToken(JsonToken.VALUE_NUMBER_INT)
                    : !json.currentToken().isNumeric()) {
                return type.cast(context.handleUnexpectedToken(type, json));
            }
            if (whole && json.getLongValue() < 0) {
                throw JsonMappingException.from(json, "is below 0: " + json.getLongValue());
            }
            if (!Double.isFinite(json.getDoubleValue())) {
                throw JsonMappingException.from(json, "is no number");
            }
            return type.cast(whole ? (Number) json.getLongValue() : (Number) json.getDoubleValue());
        }
    }

    /**
     * The JSON form of figures. Each figure is a property of the object of the trial or step; null means unknown.
     * Figures of operations with more than one record have their own object.
     */
    static final class FiguresJson {
        private static final String LAG = "lag";
        private static final String OPERATIONS = "operations";
        private static final String COUNT = "count";
        private static final String PER_SECOND = "perSecond";
        private static final String ATOMICITY = "atomicity";

        private static final List<LatencyKind> SOMETIMES = Stream.of(Figures.OF_OUTCOMES, Figures.OF_STAGES)
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
}
