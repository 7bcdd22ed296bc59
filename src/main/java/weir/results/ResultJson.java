package weir.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.plan.property.Property;
import weir.results.value.BreakingPointResult;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.Figures;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.OverheadResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult.DuringResult;
import weir.results.value.TrialResult;

/** The one place that knows how the records are spelled in JSON, so that they stay free of annotations. */
public final class ResultJson {
    /** More than any run folder of ours needs; a bigger file is not ours. */
    private static final long MAX_BYTES = 64L << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .annotationIntrospector(new Rows())
            .addMixIn(LatencyResult.class, LatencyNames.class)
            .addMixIn(TrialResult.class, WithFigures.class)
            .addMixIn(TrialResult.Failure.class, FailuresOfEarlierBuilds.class)
            .addMixIn(StepResult.class, WithFigures.class)
            .addMixIn(Figures.class, FigureNames.class)
            .addMixIn(Count.class, CountNames.class)
            .addMixIn(Property.class, PropertyNames.class)
            .addMixIn(DuringResult.class, WithFigures.class)
            .addMixIn(Conclusion.class, ConclusionNames.class)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .build();

    private ResultJson() {}

    /** The properties that most runs lack, and earlier builds did not know: left out where they are empty. */
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
            "Conclusion.partitions",
            "Conclusion.tunings",
            "Conclusion.details",
            "RequestedExperiment.unjudged");
    /** The properties that are always written, and that earlier builds did not know. */
    private static final Set<String> LATER = Set.of(
            "StoredConditions.hosts",
            "StoredConditions.brokers",
            "Measured.disturbed",
            "RunResult.scalings",
            "HostFacts.machine",
            "HostFacts.brokers");

    private static final class Rows extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        /** A bare number that is left out would be read as 0. */
        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            return member.getRawType().isPrimitive() ? Boolean.TRUE : super.hasRequiredMarker(member);
        }

        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated member) {
            return RARE.contains(name(member))
                    ? JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, null)
                    : super.findPropertyInclusion(member);
        }

        @Override
        public JsonSetter.Value findSetterInfo(Annotated member) {
            Class<?> type = member.getRawType();
            boolean some = type == String.class || type == List.class || Map.class.isAssignableFrom(type);
            return some && (RARE.contains(name(member)) || LATER.contains(name(member)))
                    ? JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)
                    : super.findSetterInfo(member);
        }

        /** Like {@code TrialResult.hops}; of a parameter that of the record's component. */
        private static String name(Annotated annotated) {
            if (!(annotated instanceof AnnotatedMember member)) {
                return "";
            }
            Class<?> of = member.getDeclaringClass();
            return of.getSimpleName() + "."
                    + (member instanceof AnnotatedParameter part && of.isRecord()
                            ? of.getRecordComponents()[part.getIndex()].getName()
                            : member.getName());
        }
    }

    interface LatencyNames {
        @JsonProperty("p99.9")
        @Nullable Double p999();

        @JsonProperty("p99.99")
        @Nullable Double p9999();
    }

    interface WithFigures {
        @JsonUnwrapped
        Figures figures();
    }

    /** A reason alone, without its count. */
    abstract static class FailuresOfEarlierBuilds {
        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        FailuresOfEarlierBuilds(String reason, long count, String limit) {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static TrialResult.Failure of(String reason) {
            return TrialResult.Failure.of(reason);
        }
    }

    @JsonSerialize(using = FiguresJson.Writer.class)
    @JsonDeserialize(using = FiguresJson.Reader.class)
    interface FigureNames {}

    interface CountNames {
        @JsonValue
        String word();
    }

    interface PropertyNames {
        @JsonProperty("default")
        String byDefault();
    }

    interface ConclusionNames {
        /** For those who ask for one. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        @Nullable BreakingPointResult breakingPoint();
    }

    public static String write(Object value) {
        return written(MAPPER.writer(), value);
    }

    /** The same without line breaks. */
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
            OwnFile.check(file);
            if (Files.size(file) > MAX_BYTES) {
                throw new UnreadableRunException(String.format(
                        Locale.ROOT,
                        "%s has %d bytes; a file of a run has at most %d",
                        file,
                        Files.size(file),
                        MAX_BYTES));
            }
            @Nullable T value = MAPPER.readValue(file.toFile(), type);
            if (value == null) {
                throw new UnreadableRunException(file + ": holds null where an object is needed");
            }
            RecordCheck.check(file, value);
            return value;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new UnreadableRunException(file + (line > 0 ? " (line " + line + ")" : "")
                    + ": is not what a run writes: " + oneLine(JsonMismatch.told(e)));
        } catch (IOException e) {
            throw new UnreadableRunException(file + ": cannot be read: " + oneLine(String.valueOf(e.getMessage())));
        }
    }

    private static String oneLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > 200 ? line.substring(0, 200) + "…" : line;
    }
}
