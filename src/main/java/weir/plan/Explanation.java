package weir.plan;

/** What a key means, as text. */
final class Explanation {
    private Explanation() {}

    static String of(String key) {
        return key;
    }
}
