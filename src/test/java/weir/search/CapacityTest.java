package weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import weir.results.value.Attempt;
import weir.results.value.Attempt.Outcome;
import weir.results.value.CapacityResult;

class CapacityTest {
    private static final double UNBOUNDED = Double.POSITIVE_INFINITY;
    private static final int SEARCHES = 120;

    /** Clusters near their capacity. Noise is the standard deviation of the logarithm between trials. */
    private enum Simulated {
        /** Sustains every rate below the capacity, and no rate above it. */
        COLLAPSING,
        /** A queue: p99 = 5 ms / (1 - load). The limit of 50 ms holds up to nine tenths of the load. */
        DEGRADING,
        /** One trial in twenty fails by chance. */
        NOISY,
        /** One trial in ten fails by chance. */
        WILD,
        /** Reaches its full speed after a few trials. */
        COLD;

        boolean holds(double share, int trial, double noise, SplittableRandom random) {
            double load = 0.9 * share;
            return switch (this) {
                case COLLAPSING -> share < Math.exp(noise * random.nextGaussian());
                case DEGRADING -> load < 1 && 5 / (1 - load) * Math.exp(5 * noise * random.nextGaussian()) < 50;
                case NOISY -> random.nextDouble() > 0.05 && COLLAPSING.holds(share, trial, noise, random);
                case WILD -> random.nextDouble() > 0.1 && COLLAPSING.holds(share, trial, noise, random);
                case COLD -> share / (1 - 0.4 * Math.exp(-trial / 1.5)) < Math.exp(noise * random.nextGaussian());
            };
        }
    }

    private interface Cluster {
        Attempt take(int trial, double rate);
    }

    /** A cluster that knows which trials are longer than the others. */
    private interface Confirmed {
        Attempt take(int trial, double rate, boolean confirms);
    }

    private static Capacity.@Nullable Try next(Capacity search, List<Attempt> tried) {
        return search.next(tried).orElse(null);
    }

    private static CapacityResult search(Capacity search, Cluster cluster) {
        return search(search, (trial, rate, confirms) -> cluster.take(trial, rate));
    }

    private static CapacityResult search(Capacity search, Confirmed cluster) {
        List<Attempt> tried = new ArrayList<>();
        for (Capacity.Try next = next(search, tried); next != null; next = next(search, tried)) {
            Attempt one = cluster.take(tried.size() + 1, next.rate(), next.confirms());
            tried.add(next.confirms() ? one.asConfirmation() : one);
        }
        return search.conclude(tried);
    }

    /** Returns the capacity found if short trials hold {@code shortly} times the rate that lasts. */
    private static CapacityResult slow(double lasts, double shortly, double precision) {
        return search(
                new Capacity("base", List.of(), 1_000, lasts / 3, UNBOUNDED, precision),
                (trial, rate, confirms) -> tried(rate < (confirms ? lasts : shortly * lasts), trial, rate));
    }

    @ParameterizedTest
    @CsvSource({"1.02, 0.02", "1.02, 0.05", "1.2, 0.05", "1.0, 0.05"})
    void aCapacityThatDoesNotLastIsNotTheAnswer(double shortly, double precision) {
        for (double lasts = 2_000; lasts < 500_000; lasts *= 1.37) {
            CapacityResult found = slow(lasts, shortly, precision);
            assertThat(found.rate()).as("%s", found).isLessThanOrEqualTo(lasts).isGreaterThan(0.8 * lasts);
            assertThat(found.tried())
                    .as("%s", found)
                    .anyMatch(one -> one.confirmation()
                            && one.rate() == known(found.rate())
                            && one.outcome() == Outcome.SUSTAINED);
            assertThat(found.low()).isLessThanOrEqualTo(lasts);
            assertThat(found.high()).isGreaterThanOrEqualTo(lasts);
        }
    }

    @Test
    void longTrialConfirmsTheCapacityWithinThreeMinutes() {
        for (double truth = 2_000; truth < 500_000; truth *= 1.37) {
            CapacityResult found = search(capacity(1_000, truth / 3, UNBOUNDED), upTo(truth));
            assertThat(found.tried().stream().filter(Attempt::confirmation)).hasSize(1);
            // The warm-up load takes 25 s; each trial has 2 s of warm-up and about 1 s between trials. The ceiling and
            // the start of brokers take 15 s.
            double seconds = found.tried().stream()
                    .mapToDouble(
                            one -> 3 + (one.confirmation() ? 10.5 + 25 : one.outcome() == Outcome.SUSTAINED ? 5 : 2))
                    .sum();
            assertThat(25 + 15 + seconds).isLessThan(190);
        }
    }

    private static Attempt disturbed(int trial, double rate) {
        return refused(trial, rate).disturbed("other programs used 1.2 of 2 cores");
    }

    /** Another program uses the cores for a while, which disturbs the first three confirmations. */
    @Test
    void threeDisturbedConfirmationsDoNotDecide() {
        for (double truth = 2_000; truth < 500_000; truth *= 1.37) {
            double limit = truth;
            int[] disturbances = {3};
            Capacity search = new Capacity("base", List.of(), 0, truth / 4, UNBOUNDED, 0.1);
            CapacityResult found = search(
                    search,
                    (trial, rate, confirms) -> confirms && disturbances[0]-- > 0
                            ? disturbed(trial, rate)
                            : upTo(limit).take(trial, rate));
            assertThat(found.rate()).as("%s", found).isBetween(truth / 1.1, truth);
            assertThat(found.low()).isLessThanOrEqualTo(truth);
            assertThat(found.high()).isBetween(truth, truth * 1.15);
            List<Attempt> confirmations =
                    found.tried().stream().filter(Attempt::confirmation).toList();
            assertThat(confirmations)
                    .extracting(Attempt::outcome)
                    .containsExactly(Outcome.DISTURBED, Outcome.DISTURBED, Outcome.DISTURBED, Outcome.SUSTAINED);
            assertThat(confirmations).extracting(Attempt::rate).containsOnly(known(found.rate()));
        }
    }

    @Test
    void aRefusedConfirmationIsFollowedByASmallStepDown() {
        for (double precision : new double[] {0.02, 0.05, 0.1, 0.9}) {
            Capacity search = new Capacity("base", List.of(), 0, 11_400, UNBOUNDED, precision);
            List<Attempt> tried = search(
                            search, (trial, rate, confirms) -> tried(!confirms && rate < 46_000, trial, rate))
                    .tried();
            double[] rates = tried.stream()
                    .filter(Attempt::confirmation)
                    .mapToDouble(Attempt::rate)
                    .toArray();
            assertThat(rates).hasSize(5);
            for (int i = 1; i < rates.length; i++) {
                assertThat(rates[i - 1] / rates[i]).isBetween(1.0, 2.001);
            }
        }
    }

    /**
     * A hard limit, like a network's: above the limit a queue grows, and at the limit it keeps its length. Short trials
     * hold if the queue grows little. A load must recover from a pause of half a second within ten seconds.
     */
    @Test
    void behindAHardLimitARateIsSustainedThatRecoversFromAPause() {
        for (double limit : new double[] {2_345, 11_826, 98_700}) {
            CapacityResult found =
                    search(new Capacity("base", List.of(), 0, limit / 4, UNBOUNDED, 0.05), (trial, rate, confirms) -> {
                        double left = confirms ? Math.max(0, 0.5 * rate - 10 * (limit - rate)) : 0;
                        boolean grows = rate > limit * 1.005;
                        return tried(!grows && left / limit <= 0.1, trial, rate);
                    });
            // 0.5 r - 10 (limit - r) is a tenth of a second of the limit at r = limit * 10.1 / 10.5.
            double recovers = limit * 10.1 / 10.5;
            assertThat(found.rate()).as("%s", found).isBetween(0.9 * recovers, recovers);
            assertThat(found.low()).isLessThanOrEqualTo(recovers);
            assertThat(found.high()).isGreaterThanOrEqualTo(recovers);
            double seconds = found.tried().stream()
                    .mapToDouble(one -> 3
                            + (one.outcome() == Outcome.SUSTAINED ? one.confirmation() ? 10.5 + 25 : 5 : 2)
                            + (one.confirmation() && one.outcome() != Outcome.SUSTAINED ? 10.5 : 0))
                    .sum();
            assertThat(25 + 15 + seconds).isLessThan(240);
        }
    }

    @Test
    void capacityReportsThatNoRateWasConfirmed() {
        CapacityResult found = slow(1_100, 50, 0.05);
        assertThat(found.tried().stream().filter(Attempt::confirmation)).hasSize(5);
        assertThat(found.reason())
                .contains("response p99 was 80 ms")
                .endsWith("no rate was sustained in a longer trial");
    }

    @Test
    void withoutALowestRateItGoesAsLowAsItTakes() {
        CapacityResult found = search(capacity(0, 0, Double.POSITIVE_INFINITY), upTo(185));
        assertThat(found.tried().get(0).rate()).isEqualTo(1_000);
        assertThat(known(found.low())).isBetween(165.0, 185.0);
        CapacityResult guessed = search(capacity(0, 46.3, Double.POSITIVE_INFINITY), upTo(20));
        assertThat(guessed.tried().get(0).rate()).isEqualTo(46.3);
        assertThat(known(guessed.low())).isBetween(17.0, 20.0);
        assertThat(search(capacity(0, 0, 300), upTo(185)).tried().get(0).rate()).isEqualTo(300);
    }

    @Test
    void capacitySearchStopsAtOnePerSecond() {
        CapacityResult none = search(capacity(0, 0, Double.POSITIVE_INFINITY), upTo(0.5));
        assertThat(none.rate()).isNull();
        assertThat(none.reason()).startsWith("no rate is sustained: even at 1/s");
    }

    private static Capacity capacity(double from, double to) {
        return capacity(from, from, to);
    }

    private static Capacity capacity(double from, double start, double to) {
        return new Capacity("base", List.of("response p99 < 50ms"), from, start, to, 0.05);
    }

    private static double known(@Nullable Double rate) {
        return Objects.requireNonNull(rate);
    }

    private static Cluster upTo(double capacity) {
        return (trial, rate) -> tried(rate < capacity, trial, rate);
    }

    private static Attempt tried(boolean holds, int trial, double rate) {
        return holds ? sustained(trial, rate) : refused(trial, rate);
    }

    private static Attempt sustained(int trial, double rate) {
        return new Attempt(trial, rate, 5, Outcome.SUSTAINED, "");
    }

    private static Attempt refused(int trial, double rate) {
        return new Attempt(trial, rate, 5, Outcome.REFUSED, "response p99 was 80 ms");
    }

    @ParameterizedTest
    @EnumSource(Simulated.class)
    void capacityIntervalCoversTheTruthOnEverySimulatedCluster(Simulated simulated) {
        for (double noise : new double[] {0, 0.06}) {
            int covered = 0;
            for (int seed = 0; seed < SEARCHES; seed++) {
                SplittableRandom random = new SplittableRandom(seed * 31L + 7);
                double truth = 2_000 * Math.pow(300, random.nextDouble());
                // The first guess is good or bad.
                double start = seed % 2 == 0 ? 1_000 : truth * Math.pow(10, random.nextDouble() * 1.5 - 1);
                CapacityResult found = search(
                        capacity(1_000, start, UNBOUNDED),
                        (trial, rate) -> tried(simulated.holds(rate / truth, trial - 1, noise, random), trial, rate));
                covered += found.low() != null && found.high() != null && found.low() <= truth && truth <= found.high()
                        ? 1
                        : 0;
            }
            // At a coverage of 93 %, fewer than 104 of 120 are seen once in a hundred times.
            assertThat(covered).as("%s, noise %s", simulated, noise).isGreaterThanOrEqualTo(104);
        }
    }

    @Test
    void capacityIntervalCoversTheTruthWithDisturbedConfirmations() {
        int covered = 0;
        for (int seed = 0; seed < SEARCHES; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 31L + 7);
            double truth = 2_000 * Math.pow(300, random.nextDouble());
            int[] repeats = {3};
            CapacityResult found = search(
                    capacity(1_000, truth * (0.1 + 0.4 * random.nextDouble()), UNBOUNDED), (trial, rate, confirms) -> {
                        boolean disturbed = confirms && random.nextDouble() < 0.6;
                        if (disturbed && repeats[0]-- > 0) {
                            return disturbed(trial, rate);
                        }
                        return tried(
                                !disturbed && Simulated.NOISY.holds(rate / truth, trial - 1, 0.06, random),
                                trial,
                                rate);
                    });
            covered += low(found) <= truth && truth <= high(found) ? 1 : 0;
        }
        assertThat(covered).isGreaterThanOrEqualTo(104);
    }

    /**
     * Random stalls, which are mostly short and more frequent at higher rates. Five seconds miss a p99 if more than 50
     * ms are stalled. The figures are those of a broker that shares two cores with its generator.
     */
    private static boolean stallsLittle(double share, SplittableRandom random) {
        double perSecond = 0.07 * share * share * share;
        double stalled = share > 2.2 ? 5 : 0;
        for (double at = pause(perSecond, random); at < 5 && stalled <= 0.05; at += pause(perSecond, random)) {
            stalled += 0.126 * Math.exp(1.9 * random.nextGaussian() - 1.9 * 1.9 / 2);
        }
        return stalled <= 0.05;
    }

    private static double pause(double perSecond, SplittableRandom random) {
        return -Math.log(1 - random.nextDouble()) / perSecond;
    }

    @Test
    void repeatedSearchesAgreeUnderRandomLimitMisses() {
        List<CapacityResult> found = new ArrayList<>();
        for (int seed = 0; seed < SEARCHES; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 31L + 7);
            found.add(search(
                    capacity(1_000, 50_000 * (0.2 + 0.3 * random.nextDouble()), UNBOUNDED),
                    (trial, rate) -> tried(stallsLittle(rate / 50_000, random), trial, rate)));
        }
        int pairs = 0;
        int agree = 0;
        for (int i = 0; i < SEARCHES; i++) {
            for (int j = 0; j < i; j++) {
                pairs++;
                agree += low(found.get(i)) <= high(found.get(j)) && low(found.get(j)) <= high(found.get(i)) ? 1 : 0;
            }
        }
        assertThat((double) agree / pairs).isGreaterThanOrEqualTo(0.93);
        // Wide, but an answer.
        assertThat(found.stream()
                        .mapToDouble(each -> high(each) / low(each))
                        .sorted()
                        .toArray()[SEARCHES / 2])
                .isBetween(1.2, 2.0);
        assertThat(found)
                .allMatch(each ->
                        each.tried().stream().filter(one -> !one.confirmation()).count() <= 26);
    }

    private static double low(CapacityResult found) {
        return found.low() == null ? 0 : found.low();
    }

    private static double high(CapacityResult found) {
        return found.high() == null ? UNBOUNDED : found.high();
    }

    @Test
    void steadyClusterReachesThePrecisionInFewTrials() {
        for (double truth = 1_500; truth < 500_000; truth *= 1.37) {
            CapacityResult found = search(capacity(1_000, UNBOUNDED), upTo(truth));
            assertThat(known(found.high()) / known(found.low())).isLessThanOrEqualTo(1.05);
            assertThat(found.rate()).isBetween(found.low(), truth);
            assertThat(found.high()).isGreaterThanOrEqualTo(truth);
            assertThat(found.tried()).hasSizeLessThanOrEqualTo(22);
            assertThat(found.reason()).startsWith("at ").endsWith("response p99 was 80 ms");
        }
    }

    @Test
    void goodStartRateSavesTrialsAndABadOneIsHarmless() {
        for (double truth = 1_500; truth < 500_000; truth *= 1.37) {
            for (double share : new double[] {0.001, 0.3, 0.7, 1.5, 200}) {
                CapacityResult found = search(capacity(1_000, share * truth, UNBOUNDED), upTo(truth));
                assertThat(known(found.low())).isLessThanOrEqualTo(truth);
                assertThat(known(found.high())).isGreaterThanOrEqualTo(truth);
                boolean good = share == 0.3 || share == 0.7;
                assertThat(known(found.high()) / known(found.low())).isLessThanOrEqualTo(good ? 1.05 : 1.08);
                assertThat(found.tried()).hasSizeLessThanOrEqualTo(good ? 16 : 22);
                assertThat(found.tried()).allMatch(one -> one.rate() >= 1_000);
            }
        }
        assertThat(search(capacity(1_000, 80_000, UNBOUNDED), upTo(900)).reason())
                .startsWith("no rate is sustained");
    }

    @Test
    void coldStartCostsATrialButNotTheCapacity() {
        for (int cold = 1; cold <= 2; cold++) {
            int last = cold;
            CapacityResult found = search(
                    capacity(1_000, 10_000, UNBOUNDED),
                    (trial, rate) -> tried(trial != last && rate < 33_000, trial, rate));
            assertThat(found.rate()).as("cold in trial %d", cold).isBetween(31_000.0, 33_000.0);
            assertThat(found.tried()).hasSizeLessThanOrEqualTo(20);
        }
        CapacityResult slow = search(
                capacity(1_000, 12_100, UNBOUNDED), (trial, rate) -> tried(trial > 2 && rate < 33_000, trial, rate));
        assertThat(known(slow.high())).as("%s", slow).isGreaterThan(33_000);
        assertThat(slow.rate()).as("%s", slow).isBetween(31_000.0, 33_000.0);
    }

    @Test
    void bothEndsAreSeenTwice() {
        CapacityResult found = search(capacity(1_000, UNBOUNDED), upTo(20_000));
        assertThat(found.tried().stream().filter(one -> one.rate() == known(found.rate())))
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(one -> one.outcome() == Outcome.SUSTAINED);
        double refused = found.tried().stream()
                .filter(one -> one.outcome() == Outcome.REFUSED)
                .mapToDouble(Attempt::rate)
                .min()
                .orElseThrow();
        assertThat(found.tried().stream().filter(one -> one.rate() == refused)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void singleFailedTrialIsOutvoted() {
        CapacityResult found =
                search(capacity(1_000, UNBOUNDED), (trial, rate) -> tried(trial != 2 && rate < 20_000, trial, rate));
        assertThat(found.low()).isLessThanOrEqualTo(20_000);
        assertThat(found.high()).isGreaterThanOrEqualTo(20_000);
        assertThat(found.rate()).isGreaterThan(18_000);
    }

    @Test
    void brokersThatAreSlowAtFirstAreAskedAgain() {
        CapacityResult found =
                search(capacity(1_000, UNBOUNDED), (trial, rate) -> tried(trial > 2 && rate < 20_000, trial, rate));
        assertThat(found.rate()).isBetween(18_000.0, 20_000.0);
    }

    @ParameterizedTest
    @CsvSource({"500", "900"})
    void itIsSaidWhenNoRateHolds(double truth) {
        CapacityResult found = search(capacity(1_000, UNBOUNDED), upTo(truth));
        assertThat(found.rate()).isNull();
        assertThat(found.low()).isNull();
        assertThat(found.high()).isNull();
        assertThat(found.reason()).isEqualTo("no rate is sustained: even at 1,000/s response p99 was 80 ms");
        assertThat(found.tried()).hasSizeBetween(2, 4);
    }

    @Test
    void sustainedMaximumRateIsReportedAsTheReason() {
        CapacityResult found = search(capacity(1_000, 10_000), upTo(50_000));
        assertThat(found.rate()).isEqualTo(10_000);
        assertThat(found.low()).isEqualTo(10_000);
        assertThat(found.high()).isNull();
        assertThat(found.reason()).isEqualTo("it sustains 10,000/s, the highest allowed rate");
        assertThat(found.tried()).allMatch(one -> one.rate() <= 10_000);
    }

    @Test
    void generatorLimitIsReportedAsTheReason() {
        CapacityResult found = search(
                capacity(1_000, UNBOUNDED),
                (trial, rate) -> rate < 30_000
                        ? sustained(trial, rate)
                        : new Attempt(trial, rate, 5, Outcome.OURS, "it was late"));
        assertThat(found.low()).isBetween(20_000.0, 30_000.0);
        assertThat(found.high()).isNull();
        assertThat(found.reason()).startsWith("the generator is the limit: at ").endsWith("it was late");
    }

    @Test
    void singleGeneratorRefusalIsNotTheLimit() {
        Attempt late = new Attempt(3, 4_000, 5, Outcome.OURS, "it was late");
        CapacityResult found = capacity(1_000, UNBOUNDED)
                .conclude(
                        List.of(sustained(1, 1_000), sustained(2, 1_000), late, refused(4, 4_000), refused(5, 4_000)));
        assertThat(found.high()).isGreaterThanOrEqualTo(4_000);
        assertThat(found.reason()).doesNotContain("generator");
    }

    @Test
    void interruptedSearchReportsItsBounds() {
        Capacity search = capacity(1_000, UNBOUNDED);
        CapacityResult rising = search.conclude(List.of(sustained(1, 1_000), sustained(2, 4_000)));
        assertThat(rising.low()).isEqualTo(4_000);
        assertThat(rising.high()).isNull();
        assertThat(rising.reason()).contains("ended early");
        CapacityResult once = search.conclude(
                List.of(sustained(1, 1_000), sustained(2, 1_000), sustained(3, 4_000), refused(4, 16_000)));
        assertThat(once.rate()).as("sustained twice").isEqualTo(1_000);
        assertThat(once.high()).isGreaterThanOrEqualTo(16_000);
        CapacityResult between = search.conclude(List.of(sustained(1, 1_000), refused(2, 4_000)));
        assertThat(between.reason()).contains("ended early");
        assertThat(search.conclude(List.of()).reason()).isEqualTo("no trial was completed");
    }

    @Test
    void undecidedRateAfterAllAttemptsIsTheUpperBound() {
        List<Attempt> tried = new ArrayList<>();
        while (tried.size() < 24) {
            tried.add(sustained(tried.size() + 1, 1_000 + 50 * (tried.size() / 2)));
        }
        tried.add(refused(tried.size() + 1, 2_000));
        tried.add(sustained(tried.size() + 1, 2_000));
        CapacityResult found = capacity(1_000, UNBOUNDED).conclude(tried);
        assertThat(found.rate()).isEqualTo(1_550);
        assertThat(found.high()).isGreaterThanOrEqualTo(2_000);
        assertThat(found.reason())
                .isEqualTo("at 2,000/s response p99 was 80 ms; the search ended early, so no long trial confirms the"
                        + " answer");
        tried.add(sustained(tried.size() + 1, known(found.rate())).asConfirmation());
        CapacityResult confirmed = capacity(1_000, UNBOUNDED).conclude(tried);
        assertThat(confirmed.rate()).isEqualTo(1_550);
        assertThat(confirmed.reason()).isEqualTo("at 2,000/s response p99 was 80 ms; the trials vary too much for 5 %");
    }

    @Test
    void refusalsByChanceAtTheBeginningDoNotSpendTheTries() {
        // Like a machine with occasional stalls.
        CapacityResult found = search(
                capacity(1_000, 26_550, UNBOUNDED),
                (trial, rate) -> tried(!List.of(1, 4, 7).contains(trial) && rate < 133_000, trial, rate));
        assertThat(found.rate()).as("%s", found).isBetween(100_000.0, 133_000.0);
        assertThat(found.tried().stream().filter(one -> one.rate() == known(found.rate())))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void nextAttemptIsDeterministic() {
        Capacity search = capacity(1_000, UNBOUNDED);
        List<Attempt> tried = search(search, upTo(7_777)).tried();
        for (int i = 0; i < tried.size(); i++) {
            Capacity.Try next = search.next(tried.subList(0, i)).orElseThrow();
            assertThat(next.rate()).isPositive();
            assertThat(next.rate()).isEqualTo(tried.get(i).rate());
        }
    }
}
