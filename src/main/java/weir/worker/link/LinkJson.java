package weir.worker.link;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;

/** A conversion of values to JSON and back, which creates only objects of the requested class. */
public final class LinkJson {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .annotationIntrospector(new Families())
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .addModule(new SimpleModule()
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addSerializer(Path.class, ToStringSerializer.instance)
                    .addDeserializer(Duration.class, text(Duration.class, Duration::parse))
                    .addDeserializer(Path.class, text(Path.class, Path::of)))
            .build();

    private LinkJson() {}

    private static final class Families extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated type) {
            return !Features.forms(type.getRawType()).isEmpty()
                    ? JsonTypeInfo.Value.construct(
                            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "form", null, false, null, null)
                    : null;
        }

        @Override
        public List<NamedType> findSubtypes(Annotated type) {
            return Features.forms(type.getRawType()).stream()
                    .map(form -> new NamedType(form, form.getSimpleName()))
                    .toList();
        }
    }

    private static <T> JsonDeserializer<T> text(Class<T> type, Function<String, T> parse) {
        return new FromStringDeserializer<>(type) {
            private static final long serialVersionUID = 1;

            @Override
            protected T _deserialize(String value, DeserializationContext context) {
                return parse.apply(value);
            }

            @Override
            protected T _deserializeFromEmptyString(DeserializationContext context) {
                return parse.apply("");
            }
        };
    }

    public static String write(Object message) {
        try {
            return JSON.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("writing a " + message.getClass().getSimpleName(), e);
        }
    }

    /** The value with some texts replaced, if a text is a whole field. */
    public static <T> T replaced(T value, Class<T> type, Map<String, String> texts) {
        JsonNode tree = JSON.valueToTree(value);
        try {
            return JSON.treeToValue(replaced(tree, texts), type);
        } catch (JsonProcessingException e) {
            // The original message quotes its input, which may contain secrets.
            throw new IllegalStateException("the rest of the frame is not a " + type.getSimpleName());
        }
    }

    private static JsonNode replaced(JsonNode node, Map<String, String> texts) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> object.replace(name, replaced(object.get(name), texts)));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, replaced(array.get(i), texts));
            }
        } else if (node.isTextual()) {
            return TextNode.valueOf(texts.getOrDefault(node.textValue(), node.textValue()));
        }
        return node;
    }

    public static <T> T read(String text, Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JsonProcessingException e) {
            // The original message quotes its input, which may contain secrets.
            throw new IllegalStateException("the frame is not a " + type.getSimpleName());
        }
    }
}
