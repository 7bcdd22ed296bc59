package weir.plan;

/** The JSON Schema of the experiment file, for editors. */
@SuppressWarnings("DoNotCallSuggester")
public final class Schema {
    private Schema() {}

    public static String json() {
        throw new UnsupportedOperationException("writing the schema");
    }
}
