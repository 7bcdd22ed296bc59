package weir.plan;

import weir.plan.syntax.ExpectationParser;

/** Expectations for other tests. */
public final class Sentence {
    private Sentence() {}

    public static Expectation of(String text) {
        return ExpectationParser.parse(text);
    }
}
