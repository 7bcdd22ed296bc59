package weir.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.plan.SearchSpec;
import weir.plan.trial.FixedRateVariant;
import weir.results.value.Attempt;
import weir.results.value.Attempt.Outcome;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;

/**
 * The search for the highest fixed rate that keeps the limits: bracket, bisect, repeat, confirm. The rules are in
 * docs/explanation/capacity.md. {@link CapacityPosterior} widens an interval that is too narrow for the noise. If the
 * interval is then wider than requested, the search tries rates near the end that moved.
 */
public final class Capacity {
    private static final int MOST = SearchSpec.Capacity.MOST_TRIALS;
    /** The limit of trials after a sustained and a refused rate. */
    private static final int MOST_SINCE = 15;
    /** The number of refusals of the first rate after which the search ends, if no rate was sustained. */
    private static final int STUBBORN = 3;

    // Half the interval needs four times as many trials.
    /**
     * The number of trials after a sustained and a refused rate at which the search may end without success. It ends if
     * trials contradict each other and the interval is {@code HOPELESS} times as wide as requested.
     */
    private static final int ENOUGH_SINCE = 12;

    private static final double HOPELESS = 2.5;

    private static final double LOWEST = 1;
    private static final double RISE = 4;
    private static final double SHORT_RISE = 2;

    private static final double FAR = 3.5;

    /**
     * The number of consecutive sustained trials below a refused rate that question the bracket: the refusal was
     * chance, or the rates are close to the refused rate.
     */
    private static final int ROW = 3;

    private static final double TAIL = 0.018;

    /** The factor between successive reductions of the rate in confirmations; the first reduction is the precision. */
    private static final double STEEPER = 2;

    private static final double SPAN = 2.5;

    private final String of;
    private final List<String> limits;
    private final double from;
    private final double start;
    private final boolean guessed;
    private final double to;
    private final double precision;

    /**
     * Creates a search; rates are operations per second.
     *
     * @param from the lowest rate, zero for none; if it is refused, the search has no answer
     * @param guess a rate that is probably sustained, where the search begins; ignored unless above {@code from}
     * @param to the highest rate; infinite for no limit
     */
    public Capacity(String of, List<String> limits, double from, double guess, double to, double precision) {
        this.of = of;
        this.limits = List.copyOf(limits);
        this.from = Math.max(from, LOWEST);
        this.guessed = guess > this.from;
        double begin = from > 0 ? from : SearchSpec.Capacity.BEGIN;
        this.start = Math.min(to, guessed ? Math.max(this.from, FixedRateVariant.rounded(guess)) : begin);
        this.to = to;
        this.precision = precision;
    }

    /**
     * A trial at one rate.
     *
     * @param rate operations per second
     * @param why the reason for the trial, as text for the user
     * @param confirms whether it is a longer, confirming trial
     */
    public record Try(double rate, String why, boolean confirms) {
        Try(double rate, String why) {
            this(rate, why, false);
        }
    }

    private record Bracket(
            @Nullable AttemptVotes low, @Nullable AttemptVotes high) {}

    private record CredibleInterval(double low, double high, CapacityPosterior belief) {
        boolean within(double precision) {
            return high / low <= 1 + precision;
        }
    }

    /**
     * The bracket: the lowest refused rate, and the highest sustained rate below it. With {@code tied}, a rate with as
     * many sustained as refused trials counts as refused.
     */
    private static Bracket bracket(Collection<AttemptVotes> votes, boolean tied) {
        AttemptVotes low = null;
        for (AttemptVotes vote : votes) {
            if (vote.holds()) {
                low = vote;
            } else if (tied || !vote.tied()) {
                return new Bracket(low, vote);
            }
        }
        return new Bracket(low, null);
    }

    public Optional<Try> next(List<Attempt> tried) {
        if (tried.isEmpty()) {
            return Optional.of(new Try(start, "where the search begins"));
        }
        Collection<AttemptVotes> all = AttemptVotes.of(tried);
        boolean confirming = all.stream().anyMatch(vote -> vote.lasts() < 0);
        Try next = confirming || spent(tried) ? null : shorter(all, open(all), tried);
        return Optional.ofNullable(next != null ? next : confirmation(open(all), tried));
    }

    private @Nullable Try shorter(Collection<AttemptVotes> all, Collection<AttemptVotes> votes, List<Attempt> tried) {
        AttemptVotes doubtful = doubtful(votes);
        if (doubtful != null) {
            return new Try(doubtful.rate(), "trials disagree");
        }
        Bracket bracket = bracket(votes, false);
        AttemptVotes low = bracket.low();
        AttemptVotes high = bracket.high();
        if (low == null && high != null && high.rate() > from && high.decided()) {
            return new Try(Math.max(from, FixedRateVariant.rounded(high.rate() / RISE)), "is a lower rate sustained?");
        }
        if (low == null) {
            // Cold brokers are slow, so a first refusal proves nothing.
            return high == null || (high.refused() >= STUBBORN && high.rate() <= from)
                    ? null
                    : new Try(high.rate(), "is it refused?");
        }
        if (high == null) {
            double rise = Math.min(to, FixedRateVariant.rounded(low.rate() * (guessed ? SHORT_RISE : RISE)));
            return low.rate() >= to ? null : new Try(rise, "is a higher rate sustained?");
        }
        double middle = FixedRateVariant.rounded(Math.sqrt(low.rate() * high.rate()));
        boolean between = middle > low.rate() && middle < high.rate();
        double gap = high.rate() / low.rate();
        if (gap > 1 + precision * 0.7 && between) {
            return byChance(tried, high, gap)
                    ? new Try(high.rate(), "is it refused?")
                    : new Try(middle, "between the ends");
        }
        if (!low.decided()) {
            return new Try(low.rate(), "is it sustained?");
        }
        return high.decided() ? refine(all, tried, low, high) : new Try(high.rate(), "is it refused?");
    }

    private @Nullable Try confirmation(Collection<AttemptVotes> votes, List<Attempt> tried) {
        int confirmations = (int) tried.stream()
                .filter(one -> one.confirmation() && one.outcome() != Attempt.Outcome.DISTURBED)
                .count();
        Bracket bracket = bracket(votes, spent(tried));
        AttemptVotes low = bracket.low();
        AttemptVotes high = bracket.high();
        double lasted = low != null && low.lasts() > 0 ? low.rate() : 0;
        if (high == null || high.lasts() == 0) {
            return low == null || lasted > 0 ? null : new Try(low.rate(), "does it last?", true);
        }
        double middle = lasted > 0
                ? Math.sqrt(lasted * high.rate())
                : Math.max(
                        from, high.rate() / Math.min(SHORT_RISE, 1 + precision * Math.pow(STEEPER, confirmations - 1)));
        double rate = FixedRateVariant.rounded(middle);
        boolean near = lasted > 0 && high.rate() / lasted <= 1 + precision;
        boolean between = rate < high.rate() && rate > lasted;
        return confirmations >= SearchSpec.Capacity.MOST_CONFIRMATIONS || near || !between
                ? null
                : new Try(rate, "does less last?", true);
    }

    /**
     * The rates that long trials have not decided: from the highest rate that a long trial sustained to the lowest that
     * a long trial refused. Between two such rates, short trials prove nothing.
     */
    private static Collection<AttemptVotes> open(Collection<AttemptVotes> votes) {
        if (votes.stream().allMatch(vote -> vote.lasts() == 0)) {
            return votes;
        }
        double lasted = votes.stream()
                .filter(vote -> vote.lasts() > 0)
                .mapToDouble(AttemptVotes::rate)
                .max()
                .orElse(0);
        double least = votes.stream()
                .filter(vote -> vote.lasts() < 0)
                .mapToDouble(AttemptVotes::rate)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return votes.stream()
                .filter(vote -> vote.rate() >= lasted && vote.rate() <= least)
                .filter(vote -> vote.lasts() != 0 || lasted == 0 || Double.isInfinite(least))
                .toList();
    }

    private static boolean spent(List<Attempt> tried) {
        return tried.size() >= MOST || passed(tried, MOST_SINCE);
    }

    private static boolean passed(List<Attempt> tried, int tries) {
        SortedMap<Double, AttemptVotes> votes = new TreeMap<>();
        for (int i = 0; i < tried.size(); i++) {
            AttemptVotes.add(votes, tried.get(i));
            Bracket bracket = bracket(open(votes.values()), false);
            if (bracket.low() != null && bracket.high() != null) {
                return tried.size() - i >= tries;
            }
        }
        return false;
    }

    private static boolean byChance(List<Attempt> tried, AttemptVotes high, double gap) {
        boolean sure = high.refused() - high.sustained() > 2;
        return gap > FAR ? !high.decided() : !sure && sustainedLately(tried) >= ROW;
    }

    private static boolean contradict(Collection<AttemptVotes> votes) {
        double highest = votes.stream()
                .filter(vote -> vote.sustained() > 0)
                .mapToDouble(AttemptVotes::rate)
                .max()
                .orElse(0);
        return votes.stream().anyMatch(vote -> vote.refused() > 0 && vote.rate() <= highest);
    }

    private static int sustainedLately(List<Attempt> tried) {
        int sustained = 0;
        while (sustained < tried.size()
                && tried.get(tried.size() - 1 - sustained).outcome() == Attempt.Outcome.SUSTAINED) {
            sustained++;
        }
        return sustained;
    }

    private static @Nullable AttemptVotes doubtful(Collection<AttemptVotes> votes) {
        AttemptVotes refused = null;
        int above = 0;
        for (AttemptVotes vote : votes) {
            if (vote.tied()) {
                return vote;
            }
            if (refused == null && !vote.holds()) {
                refused = vote;
            } else if (refused != null && vote.holds()) {
                above += vote.sustained() - vote.refused();
                if (!refused.decided() || above > refused.refused() - refused.sustained()) {
                    return refused;
                }
            }
        }
        return null;
    }

    private @Nullable Try refine(
            Collection<AttemptVotes> votes, List<Attempt> tried, AttemptVotes low, AttemptVotes high) {
        CredibleInterval ends = ends(votes, low, high);
        boolean hopeless = passed(tried, ENOUGH_SINCE) && contradict(votes) && !ends.within(HOPELESS * precision);
        if (ends.within(precision) || high.byUs() || hopeless) {
            return null;
        }
        // A trial near the end that the noise has moved furthest gives the most information.
        boolean below = low.rate() / ends.low() > ends.high() / high.rate();
        double near = ends.belief().quantile(below ? 0.12 : 0.88);
        return new Try(FixedRateVariant.rounded(near), "the interval is still wide");
    }

    private CredibleInterval ends(Collection<AttemptVotes> votes, AttemptVotes low, AttemptVotes high) {
        CapacityPosterior belief = new CapacityPosterior(votes, low.rate() / SPAN, high.rate() * SPAN);
        return new CredibleInterval(
                Math.min(low.rate(), belief.quantile(TAIL)), Math.max(high.rate(), belief.quantile(1 - TAIL)), belief);
    }

    public CapacityResult conclude(List<Attempt> tried) {
        Collection<AttemptVotes> all = AttemptVotes.of(tried);
        Collection<AttemptVotes> votes = open(all);
        Bracket bracket = bracket(votes, spent(tried));
        AttemptVotes low = bracket.low();
        AttemptVotes high = bracket.high();
        if (low == null) {
            String why = high == null ? "no trial was completed" : none(high);
            return new CapacityResult(of, limits, null, null, null, why, tried);
        }
        low = twice(votes, low);
        if (high == null) {
            String why = low.rate() >= to
                    ? "it sustains " + NumberFormat.rate(to) + ", the highest allowed rate"
                    : "the search ended early, before a trial refused a rate";
            return new CapacityResult(of, limits, low.rate(), low.rate(), null, why, tried);
        }
        CredibleInterval ends = ends(all, low, high);
        if (high.byUs()) {
            String why = "the generator is the limit: at " + NumberFormat.rate(high.rate()) + " " + high.why();
            return new CapacityResult(of, limits, low.rate(), ends.low(), null, why, tried);
        }
        List<String> why = new ArrayList<>(List.of("at " + NumberFormat.rate(high.rate()) + " " + high.why()));
        boolean done = next(tried).isEmpty();
        if (!done && !(low.decided() && (high.decided() || spent(tried)))) {
            why.add("the search ended early, so only one trial found an end of the interval");
        } else if (!done && low.lasts() == 0) {
            why.add("the search ended early, so no long trial confirms the answer");
        } else if (done && low.lasts() == 0) {
            why.add("no rate was sustained in a longer trial");
        } else if (done && !ends.within(precision)) {
            why.add("the trials vary too much for " + NumberFormat.percent(precision));
        }
        return new CapacityResult(of, limits, low.rate(), ends.low(), ends.high(), String.join("; ", why), tried);
    }

    private static AttemptVotes twice(Collection<AttemptVotes> votes, AttemptVotes low) {
        return votes.stream()
                .filter(vote -> vote.rate() <= low.rate() && vote.holds() && vote.decided())
                .reduce(low, (before, higher) -> higher);
    }

    private String none(AttemptVotes high) {
        String what = high.byUs() ? "the generator is the limit: even at " : "no rate is sustained: even at ";
        return what + NumberFormat.rate(high.rate()) + " " + high.why();
    }

    /**
     * The posterior of the capacity {@code c}, given all trials of a search. A trial at rate {@code r} is sustained
     * with probability {@code 1 / (1 + (r / c)^(1 / s))}, unless an unrelated fault ends it. {@code s} is the variation
     * of the machine between trials. Before the first trial, every {@code c} of the span is equally likely on a scale
     * of ratios. {@code s} is from 0.2 % to 25 %, and 1 to 30 of 100 trials have faults; lower values are likelier
     * (Bayes' rule on a grid).
     */
    static final class CapacityPosterior {
        private static final double[] SPREADS = {0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256};

        private static final double[] LAPSES = {0.01, 0.03, 0.1, 0.3};

        /** Twice the variation is 2^CALM times less likely, because most machines are steady. */
        private static final double CALM = 0.3;

        private static final double LUCK = 0.002;

        private static final int POINTS = 200;

        private static final double FAR = 30;

        private final double from;
        private final double step;
        private final double[] weights = new double[POINTS];

        CapacityPosterior(Collection<AttemptVotes> votes, double low, double high) {
            from = Math.log(low);
            step = (Math.log(high) - from) / (POINTS - 1);
            double sum = 0;
            for (double spread : SPREADS) {
                for (double[] likelihood : likelihoods(votes, spread)) {
                    for (int i = 0; i < POINTS; i++) {
                        weights[i] += likelihood[i];
                        sum += likelihood[i];
                    }
                }
            }
            for (int i = 0; i < POINTS; i++) {
                weights[i] /= sum;
            }
        }

        // A product without logarithms, because the few trials of a search cannot cause an underflow.
        private double[][] likelihoods(Collection<AttemptVotes> votes, double spread) {
            double[][] likelihoods = new double[LAPSES.length][POINTS];
            for (int k = 0; k < LAPSES.length; k++) {
                Arrays.fill(likelihoods[k], Math.pow(spread * LAPSES[k], -CALM));
            }
            for (AttemptVotes vote : votes) {
                double[] holds = holds(vote.rate(), spread);
                for (int k = 0; k < LAPSES.length; k++) {
                    double slope = 1 - LUCK - LAPSES[k];
                    for (int n = 0; n < vote.sustained(); n++) {
                        multiply(likelihoods[k], LUCK, slope, holds);
                    }
                    for (int n = 0; n < vote.refused(); n++) {
                        multiply(likelihoods[k], 1 - LUCK, -slope, holds);
                    }
                }
            }
            return likelihoods;
        }

        private double[] holds(double rate, double spread) {
            double[] holds = new double[POINTS];
            double away = (Math.log(rate) - from) / spread;
            double apart = step / spread;
            int first = (int) Math.max(0, Math.min(POINTS, Math.ceil((away - FAR) / apart)));
            // A product from point to point, because exponentials would take most of the time.
            double odds = Math.exp(away - first * apart);
            double closer = Math.exp(-apart);
            for (int i = first; i < POINTS; i++) {
                holds[i] = 1 / (1 + odds);
                odds *= closer;
            }
            return holds;
        }

        private static void multiply(double[] likelihood, double luck, double slope, double[] holds) {
            for (int i = 0; i < POINTS; i++) {
                likelihood[i] *= luck + slope * holds[i];
            }
        }

        double quantile(double probability) {
            double below = 0;
            for (int i = 0; i < POINTS; i++) {
                if (below + weights[i] >= probability) {
                    return Math.exp(from + (i + (probability - below) / weights[i] - 0.5) * step);
                }
                below += weights[i];
            }
            return Math.exp(from + (POINTS - 1) * step);
        }
    }

    /**
     * The votes of trials on one rate: sustained or refused. Two votes that agree decide, so three trials are enough. A
     * longer trial, which confirms the answer, decides with a single vote. A disturbed trial has no vote.
     *
     * @param ours the number of refusals that the generator caused
     * @param lasts the number of sustained confirming trials minus the number of refused confirming trials
     * @param why the newest reason for a refusal, preferably of a confirming trial
     */
    record AttemptVotes(double rate, int sustained, int refused, int ours, int lasts, String why) {
        private static final int DECIDE = 2;

        static Collection<AttemptVotes> of(List<Attempt> tried) {
            SortedMap<Double, AttemptVotes> votes = new TreeMap<>();
            for (Attempt one : tried) {
                add(votes, one);
            }
            return votes.values();
        }

        static void add(SortedMap<Double, AttemptVotes> votes, Attempt one) {
            if (one.outcome() == Outcome.DISTURBED) {
                return;
            }
            AttemptVotes before = votes.getOrDefault(one.rate(), new AttemptVotes(one.rate(), 0, 0, 0, 0, ""));
            votes.put(one.rate(), before.with(one));
        }

        private AttemptVotes with(Attempt one) {
            boolean holds = one.outcome() == Outcome.SUSTAINED;
            int confirms = !one.confirmation() ? 0 : holds ? 1 : -1;
            return new AttemptVotes(
                    rate,
                    sustained + (holds ? 1 : 0),
                    refused + (holds ? 0 : 1),
                    ours + (one.outcome() == Outcome.OURS ? 1 : 0),
                    lasts + confirms,
                    holds || (lasts < 0 && confirms == 0) ? why : one.why());
        }

        boolean decided() {
            return lasts != 0 || (Math.max(sustained, refused) >= DECIDE && sustained != refused);
        }

        boolean holds() {
            return lasts == 0 ? sustained > refused : lasts > 0;
        }

        boolean tied() {
            return lasts == 0 && sustained == refused;
        }

        boolean byUs() {
            return !holds() && !tied() && 2 * ours > refused;
        }
    }
}
