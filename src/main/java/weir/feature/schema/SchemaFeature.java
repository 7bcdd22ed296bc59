package weir.feature.schema;

import java.util.List;
import weir.feature.Feature;
import weir.load.message.SerializedValues;
import weir.plan.ValueSpec;

/** Record values of an Avro schema, a JSON Schema or a Protobuf message. */
public final class SchemaFeature implements Feature, SerializedValues.Kind {
    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(SchemaSpec.class);
    }

    @Override
    public Class<? extends ValueSpec> asked() {
        return SchemaSpec.class;
    }

    @Override
    public SerializedValues of(ValueSpec asked, List<String> topics) {
        return SchemaValues.of((SchemaSpec) asked, topics);
    }
}
