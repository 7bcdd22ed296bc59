package weir.plan;

/** Every key of the experiment file: its type, default, unit and meaning, from {@code keys.yaml}. */
@SuppressWarnings("DoNotCallSuggester")
public final class Keys {
    private Keys() {}

    /** What a key means, as {@code weir explain} prints it; a key that does not exist is answered with the nearest ones. */
    public static String explain(String key) {
        throw new UnsupportedOperationException("explaining " + key);
    }
}
