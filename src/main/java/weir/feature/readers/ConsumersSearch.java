package weir.feature.readers;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.feature.readers.ConsumersFound.ConsumersTrial;
import weir.judge.AttemptJudge;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.Variant;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.AnswerCaveats;
import weir.search.TriedNumbers;

/**
 * The search for the smallest number of consumers that carries a rate. It begins with the number that the work of one
 * record needs, raises a refused number, halves the gap, and repeats the trial of the answer.
 */
final class ConsumersSearch implements AdaptiveSearch {
    private static final String WHAT = "consumers";
    static final int MOST_TRIALS = 24;
    private static final int SURE = 2;
    private static final double RISE = 1.5;
    /** The share of its time from which on a consumer cannot keep up with records that do not come evenly. */
    private static final double BUSY = 0.85;

    private final ConsumersSearchSpec asked;
    private final Variant variant;
    private final double rate;
    private final double each;
    private final int most;
    private final int before;
    private final TriedNumbers<ConsumersTrial> trials;
    private boolean cold;

    /** @param to highest allowed rate, in operations per second */
    ConsumersSearch(ConsumersSearchSpec asked, Variant variant, double to, AdaptiveSearches run) {
        List<ConsumersTrial> earlier = run.before(ConsumersFound.class, variant)
                .map(ConsumersFound::trials)
                .orElse(List.of());
        this.asked = asked;
        this.variant = variant;
        this.rate = Math.min(to, variant.load().senders().operations(asked.carried(), false));
        this.each = ConsumersSearchSpec.ability(variant.load().consumers());
        this.most = Math.min(asked.most(), ConsumersSearchSpec.partitions(variant));
        this.before = run.earlier().tried() - earlier.size();
        this.trials = new TriedNumbers<>(earlier);
        this.cold = asked.paced().warmsUp(variant);
    }

    @Override
    public Next next() {
        int consumers = number();
        if (consumers == 0) {
            return new Next.Done();
        }
        if (cold) {
            Variant some = asked.with(variant, consumers, rate);
            Variant hot = FixedRateVariant.warmUp(
                    some, asked.paced(), rate, asked.paced().warmUpLength());
            return new Next.Run(Trial.warmUp(hot, 1, WHAT), rate, "");
        }
        int number = trials.size() + 1;
        Trial trial = new Trial(before + number, asked.with(variant, consumers, rate), number, WHAT);
        return new Next.Run(
                trial, rate, "do " + HumanAmount.count(consumers, ConsumersFound.CONSUMER) + " carry the rate?");
    }

    /** Returns the next number of consumers to try; zero if the answer is known or cannot be found. */
    private int number() {
        Integer least = trials.least();
        int below = trials.refusedBelow(least);
        if (trials.size() >= MOST_TRIALS || (least == null && below == most)) {
            return 0;
        }
        int next;
        if (least == null) {
            int first = Math.max(1, (int) Math.ceil(rate / each));
            next = Math.min(most, below == 0 ? first : Math.max(below + 1, (int) Math.ceil(below * RISE)));
        } else if (least - below > 1) {
            next = below == 0 ? least - 1 : (least + below) / 2;
        } else {
            next = trials.count(least, Attempt.Outcome.SUSTAINED) < SURE ? least : 0;
        }
        return next > 0 && trials.generatorRefused(next) ? 0 : next;
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        if (cold) {
            cold = false;
            return Optional.empty();
        }
        int number = before + trials.size() + 1;
        Attempt attempt = new AttemptJudge(asked.limits()).of(number, rate, trial, trial.caveats());
        trials.add(new ConsumersTrial(number(), attempt));
        return Optional.of(result());
    }

    @Override
    public ConsumersFound result() {
        Integer least = trials.least();
        int below = trials.refusedBelow(least);
        return new ConsumersFound(
                variant.name(),
                rate,
                asked.limits().stream().map(Expectation::text).toList(),
                trials.all(),
                Double.isInfinite(each) ? null : Double.valueOf(each),
                least,
                below == 0 ? null : Integer.valueOf(below),
                reason(least, below));
    }

    private String reason(@Nullable Integer least, int below) {
        if (trials.isEmpty()) {
            return "the search ended before its first trial";
        }
        if (least != null) {
            return least == 1 || below == least - 1 ? trials.why(below) + uneven(below) : trials.stopped(least - 1);
        }
        if (below < most) {
            return trials.undecided();
        }
        return trials.why(below)
                + (below == asked.most()
                        ? "; the search tries at most " + HumanAmount.count(below, ConsumersFound.CONSUMER)
                        : "; the topics have " + below + " partitions, and each partition has one reader");
    }

    /** Names the limit that partitions are: a reader with one more of them than others gets more than its work allows. */
    private String uneven(int consumers) {
        int partitions = ConsumersSearchSpec.partitions(variant);
        int own = consumers == 0 ? 0 : (partitions + consumers - 1) / consumers;
        double records = rate * own / partitions;
        return partitions == Integer.MAX_VALUE || own * consumers == partitions || records < BUSY * each
                ? ""
                : "; a consumer with " + own + " of the " + partitions + " partitions gets "
                        + NumberFormat.rate(records) + ", and can work on " + NumberFormat.rate(each);
    }

    @Override
    public List<Caveat> caveats() {
        String answer = "the consumers of " + variant.name();
        return next() instanceof Next.Done ? List.of() : AnswerCaveats.cutShort(WHAT, answer, trials.size());
    }
}
