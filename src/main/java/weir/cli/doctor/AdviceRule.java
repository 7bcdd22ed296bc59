package weir.cli.doctor;

import java.util.function.Function;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;

/**
 * A rule for brokers and their hosts, and how facts are judged by it.
 *
 * @param name the thing that is judged
 * @param rule what is right, in words
 * @param gain what following it brings
 */
record AdviceRule<F>(String name, String rule, AdviceSource source, String gain, Function<F, Judgement> judge) {
    /**
     * The judgement of a rule: what was found, and what that means.
     *
     * @param figure empty when it cannot be known
     * @param advice what to do; empty when there is nothing to do
     */
    record Judgement(String figure, Verdict verdict, String meaning, String advice) {
        static Judgement fine(String figure, String meaning) {
            return new Judgement(figure, Verdict.FINE, meaning, "");
        }

        static Judgement doubt(String figure, String meaning, String advice) {
            return new Judgement(figure, Verdict.DOUBT, meaning, advice);
        }

        static Judgement bad(String figure, String meaning, String advice) {
            return new Judgement(figure, Verdict.BAD, meaning, advice);
        }

        static Judgement unknown(String why) {
            return new Judgement("", Verdict.UNKNOWN, why, "");
        }
    }

    AdviceRule {
        if (name.isBlank() || rule.isBlank() || gain.isBlank()) {
            throw new IllegalArgumentException("a rule has a name, words and a gain: " + name);
        }
    }

    Advice on(F facts) {
        return on(facts, "");
    }

    /** @param of what the facts are about, such as {@code broker 1}; empty where that goes without saying */
    Advice on(F facts, String of) {
        Judgement judged = judge.apply(facts);
        String called = of.isEmpty() ? name : name + " of " + of;
        return new Advice(
                new Finding(called, judged.figure(), judged.verdict(), judged.meaning(), judged.advice()),
                rule,
                source,
                gain);
    }
}
