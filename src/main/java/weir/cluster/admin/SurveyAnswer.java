package weir.cluster.admin;

import java.util.function.Function;

/** The answer of a cluster to one question, or the reason why there is none. */
public sealed interface SurveyAnswer<T> {
    record Answered<T>(T value) implements SurveyAnswer<T> {}

    record Refused<T>(String why) implements SurveyAnswer<T> {}

    default <R> R either(Function<T, R> told, Function<String, R> refused) {
        if (this instanceof Answered<T> answer) {
            return told.apply(answer.value());
        }
        if (this instanceof Refused<T> answer) {
            return refused.apply(answer.why());
        }
        throw new AssertionError("an unknown kind of answer: " + this);
    }
}
