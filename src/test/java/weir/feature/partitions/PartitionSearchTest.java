package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.partitions.PartitionSearch.PartitionSizing;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.syntax.CaveatType;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.SearchResults;
import weir.search.AdaptiveSearches;
import weir.search.Capacity;
import weir.search.Search;

/** Searches that continue after given trials, with partitions that accept 330,000/s. */
class PartitionSearchTest {
    private static final double TAKES = 330e3;
    private static final String TARGET = "10M/s";

    /** Throughput grows in proportion; one consumer reads far more than one partition accepts. */
    private static final double ADD = 1;

    private static final double READS = 2e6;
    private static final int SEARCHES = 400;

    private static PartitionTrial fast(int partitions, double carried) {
        return new PartitionTrial(partitions, null, carried, new Attempt(1, carried, 3, Attempt.Outcome.SUSTAINED, ""));
    }

    private static PartitionTrial at(double rate, int partitions, Attempt.Outcome outcome) {
        String why = switch (outcome) {
            case SUSTAINED -> "";
            case REFUSED -> "achieved 91 %";
            case OURS, DISTURBED -> "achieved 91 %, the generator was late by 80 ms at p99";
        };
        return new PartitionTrial(partitions, rate, 0.9 * rate, new Attempt(1, rate, 9, outcome, why));
    }

    private static Stream<PartitionTrial> whole(Attempt.Outcome outcome, int... partitions) {
        return IntStream.of(partitions).mapToObj(number -> at(10e6, number, outcome));
    }

    private static PartitionSearch behind(Stream<PartitionTrial> carrying) {
        return behind(ADD, 10e6, carrying);
    }

    private static PartitionSearch behind(Stream<PartitionTrial> first, Stream<PartitionTrial> then) {
        return behind(Stream.concat(first, then));
    }

    private static PartitionSearch behind(double adding, double to, Stream<PartitionTrial> carrying) {
        return behind(Plans.read("load: {}\nsearch: { partitions: { for: 10M/s } }"), adding, to, READS, carrying);
    }

    private static PartitionSearch behind(
            Experiment experiment, double adding, double to, double reads, Stream<PartitionTrial> carrying) {
        PartitionsResult earlier = new PartitionsResult(
                "base",
                TARGET,
                10e6,
                List.of(),
                capacity(TAKES, to, 0, new SplittableRandom(1)),
                Collections.nCopies(5, fast(1, reads)),
                null,
                null,
                null,
                List.of(
                        fast(1, TAKES),
                        fast(2, 2 * TAKES * adding),
                        fast(4, 4 * TAKES * adding),
                        fast(8, 8 * TAKES * adding)),
                carrying.toList(),
                null,
                null,
                null,
                null,
                false,
                "");
        return new PartitionSearch(
                (PartitionsSpec) experiment.adaptive().get(0),
                experiment.variants().get(0),
                to,
                new AdaptiveSearches(SearchResults.NONE.with(earlier), Map.of(), () -> 0, one -> true));
    }

    private static boolean done(PartitionSearch search) {
        return search.warmedUp() instanceof Search.Next.Done;
    }

    private static int partitions(Search.Next next) {
        return ((Search.Next.Run) next)
                .trial()
                .variant()
                .usedTopics()
                .values()
                .iterator()
                .next()
                .partitions();
    }

    @Test
    void generatorLimitEndsThePartitionSearchWithACaveat() {
        PartitionSearch search = behind(whole(Attempt.Outcome.OURS, 31, 31));
        assertThat(done(search)).as("more partitions help no generator").isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.low()).isEqualTo(28);
        assertThat(found.high()).isEqualTo(31);
        assertThat(found.calculated()).isTrue();
        assertThat(found.reason())
                .isEqualTo("calculated only: the generator is the limit, with 31 achieved 91 %,"
                        + " the generator was late by 80 ms at p99");
        assertThat(search.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("generator-near-its-limit")));
    }

    @Test
    void trialLimitedByTheGeneratorIsRepeatedOnce() {
        assertThat(partitions(behind(whole(Attempt.Outcome.OURS, 31)).warmedUp()))
                .isEqualTo(31);
        PartitionSearch search = behind(whole(Attempt.Outcome.OURS, 31), whole(Attempt.Outcome.SUSTAINED, 31));
        assertThat(partitions(search.warmedUp())).as("it is sustained").isEqualTo(30);
        assertThat(search.result().partitions()).isEqualTo(31);
        assertThat(search.result().calculated()).isFalse();
    }

    @Test
    void lowerEndIsCalculatedIfTheGeneratorLimitsOnePartitionLess() {
        PartitionSearch search = behind(whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.OURS, 30, 30));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.low()).isEqualTo(28);
        assertThat(found.calculated()).isFalse();
        assertThat(found.reason()).startsWith("the generator was the limit in trials with 30: achieved 91 %");
        assertThat(search.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("generator-near-its-limit")));
    }

    @Test
    void refusedTrialsRaiseTheLowerEndWithoutACaveat() {
        PartitionSearch search = behind(whole(Attempt.Outcome.REFUSED, 31, 31));
        assertThat(done(search)).isTrue();
        assertThat(search.result().partitions()).isNull();
        assertThat(search.result().low()).isEqualTo(32);
        assertThat(search.caveats()).noneMatch(caveat -> caveat.is(CaveatType.named("generator-near-its-limit")));
    }

    @Test
    void lowerEndIsLimitedToTriedNumbers() {
        PartitionSearch search = behind(whole(Attempt.Outcome.SUSTAINED, 31, 30, 29, 28, 27, 26, 25, 24));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(24);
        assertThat(found.low()).isEqualTo(1);
        assertThat(found.high()).isEqualTo(31);
        assertThat(found.reason()).isEqualTo("the search ended before a trial with 23");
    }

    @Test
    void lowerEndIsTheNumberIfOnePartitionLessIsRefused() {
        PartitionSearch search =
                behind(whole(Attempt.Outcome.SUSTAINED, 31, 30, 29, 28, 27), whole(Attempt.Outcome.REFUSED, 26, 26));
        assertThat(done(search)).isTrue();
        assertThat(search.result().partitions()).isEqualTo(27);
        assertThat(search.result().low()).as("the formula said 28").isEqualTo(27);
        assertThat(search.result().reason()).isEqualTo("with 26 achieved 91 %");
        search = behind(whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30, 30));
        assertThat(search.result().partitions()).isEqualTo(31);
        assertThat(search.result().low()).as("the formula says 28").isEqualTo(28);
        assertThat(search.result().reason()).isEqualTo("with 30 achieved 91 %");
        search = behind(whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30));
        assertThat(search.result().reason()).isEqualTo("the search ended before enough trials with 30");
    }

    @Test
    void numberIsCalculatedIfTheMachineIsTheLimit() {
        PartitionSearch search = behind(
                0.73 / 8,
                10e6,
                Stream.of(at(297e3, 1, Attempt.Outcome.REFUSED), at(297e3, 1, Attempt.Outcome.REFUSED)));
        PartitionsResult found = search.result();
        assertThat(found.share()).isLessThan(1);
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.calculated()).isTrue();
        assertThat(found.reason())
                .isEqualTo("calculated only: this machine is the limit, 8 partitions carry 0.73× the rate of one");
        assertThat(search.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("partitions-do-not-add")));
    }

    @Test
    void partialRateIsNoProofIfPartitionsDoNotScale() {
        PartitionSearch search = behind(
                0.5,
                10e6,
                Stream.of(
                        at(1.188e6, 4, Attempt.Outcome.SUSTAINED),
                        at(1.188e6, 3, Attempt.Outcome.REFUSED),
                        at(1.188e6, 3, Attempt.Outcome.REFUSED)));
        assertThat(done(search)).isTrue();
        assertThat(search.result().calculated()).isTrue();
        assertThat(search.result().partitions()).isEqualTo(31);
    }

    @Test
    void refusedShareOfTheRateRefutesTheCalculation() {
        PartitionSearch search =
                behind(ADD, 3e6, Stream.of(at(3e6, 10, Attempt.Outcome.REFUSED), at(3e6, 10, Attempt.Outcome.REFUSED)));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isNull();
        assertThat(found.low()).as("11 carry more than 30 % of it, 33 all").isEqualTo(34);
        assertThat(found.high()).isNull();
        assertThat(found.reason()).isEqualTo("with 10 achieved 91 %");
    }

    @Test
    void sustainedShareConfirmsTheNumberIfPartitionsScale() {
        PartitionSearch search = behind(
                ADD,
                3e6,
                Stream.of(
                        at(3e6, 10, Attempt.Outcome.SUSTAINED),
                        at(3e6, 9, Attempt.Outcome.REFUSED),
                        at(3e6, 9, Attempt.Outcome.REFUSED)));
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.low()).isEqualTo(28);
        assertThat(found.calculated()).isFalse();
    }

    @Test
    void partitionsScaleWithTheNumberThatAShareNeeds() {
        Stream<PartitionTrial> carrying = Stream.of(
                at(1e6, 4, Attempt.Outcome.REFUSED),
                at(1e6, 4, Attempt.Outcome.REFUSED),
                at(1e6, 5, Attempt.Outcome.SUSTAINED));
        PartitionsResult found = behind(ADD, 1e6, carrying).result();
        assertThat(found.partitions()).as("4 of a tenth are 40").isEqualTo(41);
        assertThat(found.high()).as("5 of a tenth").isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deliver", "produce"})
    void consumersAreNotLoadedAboveTheirRate(String workload) {
        Experiment experiment =
                Plans.read("load: { workload: " + workload + " }\nsearch: { partitions: { for: 10M/s } }");
        double reads = 200e3;
        PartitionSearch search = behind(experiment, ADD, 10e6, reads, Stream.of());
        Search.Next.Run next = (Search.Next.Run) search.warmedUp();
        boolean read = workload.equals("deliver");
        assertThat(next.rate()).isEqualTo(read ? 0.9 * PartitionVariant.MOST_LOADS * reads : 10e6);
        assertThat(partitions(next)).isEqualTo(read ? PartitionVariant.MOST_LOADS : 50);
    }

    @Test
    void resumedSearchWarmsUpOnceBeforeItsFirstStep() {
        PartitionSearch search = behind(Stream.of());
        Search.Next.Run first = (Search.Next.Run) search.next();
        assertThat(first.trial().isWarmUp()).isTrue();
        assertThat(first.rate()).isInfinite();
        assertThat(((Search.Next.Run) search.warmedUp()).trial().isWarmUp()).isFalse();
        PartitionSearch whole = behind(whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30, 30));
        assertThat(whole.next()).as("nothing is left to heat for").isInstanceOf(Search.Next.Done.class);
    }

    @Test
    void externalBrokersGetNoWarmUpTrial() {
        PartitionSearch search = behind(
                Plans.read("load: {}\ncluster: { bootstrap: \"127.0.0.1:1\" }\nsearch: { partitions: { for: 10M/s } }"),
                ADD,
                10e6,
                READS,
                Stream.of());
        assertThat(((Search.Next.Run) search.next()).trial().isWarmUp()).isFalse();
    }

    private static CapacityResult takes(@Nullable Double rate, @Nullable Double low, @Nullable Double high) {
        return new CapacityResult("base", List.of(), rate, low, high, "", List.of());
    }

    @ParameterizedTest
    @CsvSource({
        // 10M / 330k is 30.3, and the number of partitions is whole.
        "10e6, 330e3, 31, 29, 32",
        "1e6, 330e3, 4, 3, 4",
        "330e3, 330e3, 1, 1, 2",
        "660e3, 330e3, 2, 2, 3",
        "1, 330e3, 1, 1, 1",
    })
    void numberIsRoundedUpAndHasTheIntervalOfTheRate(double target, double rate, int number, int low, int high) {
        PartitionSizing sizing = PartitionSizing.of(takes(rate, 0.97 * rate, 1.05 * rate), 4 * rate);
        assertThat(sizing.partitions(target)).isEqualTo(number);
        assertThat(sizing.low(target)).isEqualTo(low);
        assertThat(sizing.high(target)).isEqualTo(high);
    }

    @Test
    void roundingErrorAddsNoPartition() {
        assertThat(PartitionSizing.of(takes(0.1, 0.1, 0.1), 1).partitions(0.1 * 3))
                .isEqualTo(3);
    }

    @Test
    void slowerConsumerDeterminesThePartitions() {
        PartitionSizing sizing = PartitionSizing.of(takes(300e3, 290e3, 310e3), 99e3, 100e3, 100e3, 101e3);
        assertThat(sizing.partitions(1e6)).isEqualTo(11);
        assertThat(sizing.low(1e6)).isEqualTo(10);
        assertThat(sizing.high(1e6)).isEqualTo(11);
    }

    @Test
    void lowerEndIsOneWithoutARefusedTrial() {
        PartitionSizing sizing = PartitionSizing.of(takes(100e3, 100e3, null), 1e6);
        assertThat(sizing.partitions(250e3)).isEqualTo(3);
        assertThat(sizing.low(250e3)).isEqualTo(1);
    }

    @Test
    void singleMeasurementSufficesIfItCannotChangeTheNumber() {
        CapacityResult one = takes(100e3, 95e3, 105e3);
        assertThat(PartitionSizing.known(one, 1e6)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 215e3)).isTrue();
        assertThat(PartitionSizing.known(one, 1e6, 205e3)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 90e3, 91e3, 92e3)).isFalse();
        assertThat(PartitionSizing.known(one, 1e6, 90e3, 91e3, 92e3, 93e3)).isTrue();
        assertThat(PartitionSizing.known(takes(20e3, 20e3, null), 20e3, 41e3))
                .as("more than all")
                .isTrue();
    }

    /** Partitions with true rates P and C, and noise per trial. How often does the interval contain their number? */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.06, 0.15})
    void partitionIntervalContainsTheTrueNumber(double noise) {
        int held = 0;
        double widest = 0;
        for (int seed = 0; seed < SEARCHES; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 31L + 7);
            double produced = 2_000 * Math.pow(300, random.nextDouble());
            // From a third of P to four times P. Values near P are the hardest.
            double consumed = produced * Math.exp(Math.log(12) * random.nextDouble() - Math.log(3));
            double target = produced * Math.pow(100, random.nextDouble()) * 1.2;
            CapacityResult one = capacity(produced, target, noise, random);
            List<Double> reads = new ArrayList<>();
            while (!PartitionSizing.known(one, target, values(reads))) {
                reads.add(consumed * Math.exp(noise * random.nextGaussian()));
            }
            PartitionSizing sizing = PartitionSizing.of(one, values(reads));
            int truth = (int) Math.ceil(target / Math.min(produced, consumed));
            held += sizing.low(target) <= truth && truth <= sizing.high(target) ? 1 : 0;
            widest = Math.max(widest, (double) sizing.high(target) / sizing.partitions(target));
        }
        assertThat((double) held / SEARCHES).as("noise %s", noise).isGreaterThanOrEqualTo(0.93);
        assertThat(widest).as("an answer all the same").isLessThan(4);
    }

    private static CapacityResult capacity(double truth, double to, double noise, SplittableRandom random) {
        Capacity search = new Capacity("base", List.of(), 0, truth / 4, to, 0.05);
        List<Attempt> tried = new ArrayList<>();
        for (Capacity.Try next = search.next(tried).orElse(null);
                next != null;
                next = search.next(tried).orElse(null)) {
            boolean holds = next.rate() < truth * Math.exp(noise * random.nextGaussian());
            Attempt one = new Attempt(
                    tried.size() + 1,
                    next.rate(),
                    3,
                    holds ? Attempt.Outcome.SUSTAINED : Attempt.Outcome.REFUSED,
                    holds ? "" : "achieved 90 %");
            tried.add(next.confirms() ? one.asConfirmation() : one);
        }
        return search.conclude(tried);
    }

    private static double[] values(List<Double> reads) {
        return reads.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
