package weir.plan;

/** Expectations for tests elsewhere. */
public final class Sentence {
    private Sentence() {}

    public static Expectation of(String text) {
        return Expectations.parse(text);
    }
}
