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
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;

/**
 * The highest fixed rate that holds the limits: bracket, bisect, confirm. Rates rise fourfold until one is refused, from
 * a guess only twofold, or fall fourfold until one holds; the gap is halved, on a scale of ratios, until it is seven
 * tenths of the precision; then the highest rate that was sustained and the lowest that was refused have to do it twice, and
 * disagreeing trials are decided best of three. Where the ends lie closer together than the noise of the trials allows ({@link CapacityPosterior}), they are moved
 * apart; where that makes the answer less precise than was asked for, rates near the end that was moved further are tried
 * until it is, until {@value #MOST} trials are spent or {@value #MOST_SINCE} since rates both sustained and were refused, or until
 * {@value #ENOUGH_SINCE} of these show that it will not be. In the end the highest rate that was sustained has to last: one long trial
 * confirms it. Where that is refused short trials have shown too little, and only long ones go on, below it. A confirmation that was
 * disturbed is repeated.
 */
final class Capacity {
    private static final int MOST = SearchSpec.Capacity.MOST_TRIALS;
    /** Since rates both sustained and were refused. */
    private static final int MOST_SINCE = 15;
    /** So often the first rate has to be refused before no rate is sustained. */
    private static final int STUBBORN = 3;

    // Half as wide takes four times as many.
    /** After so many of these, of which some contradict each other, an interval that much wider than asked for stays wide. */
    private static final int ENOUGH_SINCE = 12;

    private static final double HOPELESS = 2.5;

    private static final double LOWEST = 1;
    private static final double RISE = 4;
    /** From a guess, which is seldom far off. */
    private static final double SHORT_RISE = 2;

    /** Ends so far apart have only just been found. */
    private static final double FAR = 3.5;

    /** When so many in a row hold below a rate that was refused, that was by chance, or they are close to it. */
    private static final int ROW = 3;

    private static final double TAIL = 0.018;

    /** Each step down to a rate that lasts is this many times as large as the one before; the first is the precision. */
    private static final double STEEPER = 2;

    /** The capacity lies no further from the ends than this many times. */
    private static final double SPAN = 2.5;

    private final String of;
    private final List<String> limits;
    private final double from;
    private final double start;
    private final boolean guessed;
    private final double to;
    private final double precision;

    /**
     * Rates are operations per second.
     *
     * @param from the lowest that is tried: where it is refused, none holds; zero is as low as it takes
     * @param guess of one that holds, where the search begins; none when it is not above {@code from}
     * @param to the highest that may be tried, infinite for no bound
     */
    Capacity(String of, List<String> limits, double from, double guess, double to, double precision) {
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
     * @param why what it is for, as people read it
     * @param confirms whether it is longer than the others, to show that the rate lasts
     */
    record Try(double rate, String why, boolean confirms) {
        Try(double rate, String why) {
            this(rate, why, false);
        }
    }

    /** The two rates that the capacity is between; null where there is none yet. */
    private record Bracket(
            @Nullable AttemptVotes low, @Nullable AttemptVotes high) {}

    /** The 95 % interval, which reaches at least from the one rate to the other. */
    private record Ends(double low, double high, CapacityPosterior belief) {
        boolean within(double precision) {
            return high / low <= 1 + precision;
        }
    }

    /** The lowest rate that was refused, {@code tied}: or sustained no more often, and the highest below it that was sustained. */
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

    Optional<Try> next(List<Attempt> tried) {
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
            return new Try(Math.max(from, FixedRateVariant.rounded(high.rate() / RISE)), "where is it sustained?");
        }
        if (low == null) {
            // Brokers that have carried nothing yet are slow, and nothing else speaks for them.
            return high == null || (high.refused() >= STUBBORN && high.rate() <= from)
                    ? null
                    : new Try(high.rate(), "is it refused?");
        }
        if (high == null) {
            double rise = Math.min(to, FixedRateVariant.rounded(low.rate() * (guessed ? SHORT_RISE : RISE)));
            return low.rate() >= to ? null : new Try(rise, "how far does it go?");
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

    /** A long trial of the highest rate that was sustained; once one was refused, of rates below it, until one holds. */
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
     * The rates that long trials have left open: from the highest that lasted to the lowest that did not. Where there are both,
     * what short ones hold between them says nothing.
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

    /** True when a rate may have been refused by chance, which would cost many tries below it. */
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

    /** A rate that is tied, or refused although higher ones were sustained more often than it was refused. */
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

    /** The ends stand; is the interval as narrow as it should be? */
    private @Nullable Try refine(
            Collection<AttemptVotes> votes, List<Attempt> tried, AttemptVotes low, AttemptVotes high) {
        Ends ends = ends(votes, low, high);
        boolean hopeless = passed(tried, ENOUGH_SINCE) && contradict(votes) && !ends.within(HOPELESS * precision);
        if (ends.within(precision) || high.byUs() || hopeless) {
            return null;
        }
        // The end that the noise has moved furthest is where a trial tells most.
        boolean below = low.rate() / ends.low() > ends.high() / high.rate();
        double near = ends.belief().quantile(below ? 0.12 : 0.88);
        return new Try(FixedRateVariant.rounded(near), "the interval is still wide");
    }

    private Ends ends(Collection<AttemptVotes> votes, AttemptVotes low, AttemptVotes high) {
        CapacityPosterior belief = new CapacityPosterior(votes, low.rate() / SPAN, high.rate() * SPAN);
        return new Ends(
                Math.min(low.rate(), belief.quantile(TAIL)), Math.max(high.rate(), belief.quantile(1 - TAIL)), belief);
    }

    CapacityResult conclude(List<Attempt> tried) {
        Collection<AttemptVotes> all = AttemptVotes.of(tried);
        Collection<AttemptVotes> votes = open(all);
        Bracket bracket = bracket(votes, spent(tried));
        AttemptVotes low = bracket.low();
        AttemptVotes high = bracket.high();
        if (low == null) {
            String why = high == null ? "nothing was tried to its end" : none(high);
            return new CapacityResult(of, limits, null, null, null, why, tried);
        }
        low = twice(votes, low);
        if (high == null) {
            String why = low.rate() >= to
                    ? "it sustains " + NumberFormat.rate(to) + ", the highest rate that may be tried"
                    : "the search was cut short before a rate was refused";
            return new CapacityResult(of, limits, low.rate(), low.rate(), null, why, tried);
        }
        Ends ends = ends(all, low, high);
        if (high.byUs()) {
            String why = "the generator is the limit: at " + NumberFormat.rate(high.rate()) + " " + high.why();
            return new CapacityResult(of, limits, low.rate(), ends.low(), null, why, tried);
        }
        List<String> why = new ArrayList<>(List.of("at " + NumberFormat.rate(high.rate()) + " " + high.why()));
        boolean done = next(tried).isEmpty();
        if (!done && !(low.decided() && (high.decided() || spent(tried)))) {
            why.add("the search was cut short, so an end was seen only once");
        } else if (!done && low.lasts() == 0) {
            why.add("the search was cut short, so no long trial confirms it");
        } else if (done && low.lasts() == 0) {
            why.add("no rate that was tried for longer was sustained");
        } else if (done && !ends.within(precision)) {
            why.add("the trials vary too much for " + NumberFormat.percent(precision));
        }
        return new CapacityResult(of, limits, low.rate(), ends.low(), ends.high(), String.join("; ", why), tried);
    }

    /** The highest rate that was sustained twice, up to this one; this one when none did. */
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
     * Where the capacity is, as far as all tries of a search tell. A trial at rate r holds with probability
     * 1 / (1 + (r / c)^(1 / s)), but for those that go wrong by themselves; c is the capacity, s how much the machine wanders
     * from trial to trial. Nothing of this is known: before the first trial every c of the span, on a scale of ratios, is as
     * likely as any other; spreads reach from a fifth of a percent to a quarter, and of a hundred trials one to thirty may go
     * wrong, each the likelier the less it is (Bayes' rule on a grid). So trials that contradict each other widen the interval
     * by what they show of the noise, and trials that agree narrow it.
     */
    static final class CapacityPosterior {
        private static final double[] SPREADS = {0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256};

        /** How often a trial goes wrong whatever the rate. */
        private static final double[] LAPSES = {0.01, 0.03, 0.1, 0.3};

        /** The power of two by which what is twice as bad is less likely: machines are calmer than the worst of them. */
        private static final double CALM = 0.3;

        /** How often a rate above the capacity holds all the same. */
        private static final double LUCK = 0.002;

        private static final int POINTS = 200;

        /** Spreads above the capacity from where a rate is as good as never held. */
        private static final double FAR = 30;

        private final double from;
        private final double step;
        private final double[] weights = new double[POINTS];

        /** Between two rates, of which the capacity is believed to lie well inside. */
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

        // No logarithms: a search has too few trials for the product to vanish.
        /** How likely all trials are at each capacity, for each share of them that goes wrong by itself. */
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

        /** The probability that a rate holds at each capacity, if nothing goes wrong by itself. */
        private double[] holds(double rate, double spread) {
            double[] holds = new double[POINTS];
            double away = (Math.log(rate) - from) / spread;
            double apart = step / spread;
            int first = (int) Math.max(0, Math.min(POINTS, Math.ceil((away - FAR) / apart)));
            // A product from point to point: an exponential for each would take most of the time.
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

        /** The rate below which the capacity lies with this probability. */
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
}
