package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/** Searches that go on behind given trials, of partitions that take 330,000/s. */
class PartitionSearchTest {
    private static final double TAKES = 330e3;
    private static final String TARGET = "10M/s";

    /** Partitions that add; one consumer reads far more than one takes. */
    private static final double ADD = 1;

    private static final double READS = 2e6;

    private static CapacityResult one(double to) {
        Capacity search = new Capacity("base", List.of(), 0, TAKES / 4, to, 0.05);
        List<Attempt> tried = new ArrayList<>();
        for (Capacity.Try next = search.next(tried).orElse(null);
                next != null;
                next = search.next(tried).orElse(null)) {
            boolean holds = next.rate() < TAKES;
            Attempt attempt = new Attempt(
                    tried.size() + 1,
                    next.rate(),
                    3,
                    holds ? Attempt.Outcome.SUSTAINED : Attempt.Outcome.REFUSED,
                    holds ? "" : "achieved 90 %");
            tried.add(next.confirms() ? attempt.asConfirmation() : attempt);
        }
        return search.conclude(tried);
    }

    private static PartitionTrial trial(int partitions, @Nullable Double offered, double carried, Attempt tried) {
        return new PartitionTrial(partitions, offered, carried, tried);
    }

    private static PartitionTrial fast(int partitions, double carried) {
        return trial(partitions, null, carried, new Attempt(1, carried, 3, Attempt.Outcome.SUSTAINED, ""));
    }

    private static PartitionTrial at(double rate, int partitions, Attempt.Outcome outcome) {
        String why = switch (outcome) {
            case SUSTAINED -> "";
            case REFUSED -> "achieved 91 %";
            case OURS, DISTURBED -> "achieved 91 %, the generator was late by 80 ms at p99";
        };
        return trial(partitions, rate, 0.9 * rate, new Attempt(1, rate, 9, outcome, why));
    }

    private static Stream<PartitionTrial> whole(Attempt.Outcome outcome, int... partitions) {
        return IntStream.of(partitions).mapToObj(number -> at(10e6, number, outcome));
    }

    @SafeVarargs
    private static PartitionSearch behind(double adding, double to, double reads, Stream<PartitionTrial>... carrying) {
        List<PartitionTrial> all = new ArrayList<>();
        for (Stream<PartitionTrial> trials : carrying) {
            trials.forEach(all::add);
        }
        return behind(Plans.read("load: {}\nsearch: { partitions: { for: 10M/s } }"), adding, to, reads, all.stream());
    }

    private static PartitionSearch behind(
            Experiment experiment, double adding, double to, double reads, Stream<PartitionTrial> carrying) {
        PartitionsResult earlier = new PartitionsResult(
                "base",
                TARGET,
                10e6,
                List.of(),
                one(to),
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
        return search.heated() instanceof Search.Next.Done;
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
    void whatTheGeneratorCouldNotDoIsNoFactAboutPartitions() {
        PartitionSearch search = behind(ADD, 10e6, READS, whole(Attempt.Outcome.OURS, 31, 31));
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
    void oneTrialThatTheGeneratorLostIsTriedAgain() {
        assertThat(partitions(behind(ADD, 10e6, READS, whole(Attempt.Outcome.OURS, 31))
                        .heated()))
                .isEqualTo(31);
        PartitionSearch search =
                behind(ADD, 10e6, READS, whole(Attempt.Outcome.OURS, 31), whole(Attempt.Outcome.SUSTAINED, 31));
        assertThat(partitions(search.heated())).as("it is sustained").isEqualTo(30);
        assertThat(search.result().partitions()).isEqualTo(31);
        assertThat(search.result().calculated()).isFalse();
    }

    @Test
    void whereOneLessIsLostByTheGeneratorTheLowerEndIsTheCalculated() {
        PartitionSearch search =
                behind(ADD, 10e6, READS, whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.OURS, 30, 30));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.low()).isEqualTo(28);
        assertThat(found.calculated()).isFalse();
        assertThat(found.reason()).startsWith("with 30 the generator is the limit: achieved 91 %");
        assertThat(search.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("generator-near-its-limit")));
    }

    @Test
    void refusalsAreFactsAboutPartitions() {
        PartitionSearch search = behind(ADD, 10e6, READS, whole(Attempt.Outcome.REFUSED, 31, 31));
        assertThat(done(search)).isTrue();
        assertThat(search.result().partitions()).isNull();
        assertThat(search.result().low()).isEqualTo(32);
        assertThat(search.caveats()).noneMatch(caveat -> caveat.is(CaveatType.named("generator-near-its-limit")));
    }

    @Test
    void theLowerEndClaimsNothingThatWasNotTried() {
        PartitionSearch search =
                behind(ADD, 10e6, READS, whole(Attempt.Outcome.SUSTAINED, 31, 30, 29, 28, 27, 26, 25, 24));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isEqualTo(24);
        assertThat(found.low()).isEqualTo(1);
        assertThat(found.high()).isEqualTo(31);
        assertThat(found.reason()).isEqualTo("the search stopped there, and 23 was not tried");
    }

    @Test
    void whereOneLessWasRefusedTheLowerEndIsTheNumberItselfOrTheCalculated() {
        PartitionSearch search = behind(
                ADD,
                10e6,
                READS,
                whole(Attempt.Outcome.SUSTAINED, 31, 30, 29, 28, 27),
                whole(Attempt.Outcome.REFUSED, 26, 26));
        assertThat(done(search)).isTrue();
        assertThat(search.result().partitions()).isEqualTo(27);
        assertThat(search.result().low()).as("the formula said 28").isEqualTo(27);
        assertThat(search.result().reason()).isEqualTo("with 26 achieved 91 %");
        search = behind(ADD, 10e6, READS, whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30, 30));
        assertThat(search.result().partitions()).isEqualTo(31);
        assertThat(search.result().low()).as("the formula says 28").isEqualTo(28);
        assertThat(search.result().reason()).isEqualTo("with 30 achieved 91 %");
        search = behind(ADD, 10e6, READS, whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30));
        assertThat(search.result().reason()).isEqualTo("the search stopped there, before trials with 30 decided it");
    }

    @Test
    void whereTheMachineIsTheLimitTheNumberIsOnlyCalculated() {
        PartitionSearch search = behind(
                0.73 / 8,
                10e6,
                READS,
                Stream.of(at(297e3, 1, Attempt.Outcome.REFUSED), at(297e3, 1, Attempt.Outcome.REFUSED)));
        PartitionsResult found = search.result();
        assertThat(found.share()).isLessThan(1);
        assertThat(found.partitions()).isEqualTo(31);
        assertThat(found.calculated()).isTrue();
        assertThat(found.reason())
                .isEqualTo("calculated only: here the machine is the limit, 8 partitions carry 0.73× what one does");
        assertThat(search.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("partitions-do-not-add")));
    }

    @Test
    void whatSustainsAPartOfTheRateWhereTheyDoNotAddIsNoProofEither() {
        PartitionSearch search = behind(
                0.5,
                10e6,
                READS,
                Stream.of(
                        at(1.188e6, 4, Attempt.Outcome.SUSTAINED),
                        at(1.188e6, 3, Attempt.Outcome.REFUSED),
                        at(1.188e6, 3, Attempt.Outcome.REFUSED)));
        assertThat(done(search)).isTrue();
        assertThat(search.result().calculated()).isTrue();
        assertThat(search.result().partitions()).isEqualTo(31);
    }

    @Test
    void whereTheyAddAndAShareIsRefusedTheCalculationIsRefutedAsItIsAtTheWholeRate() {
        PartitionSearch search = behind(
                ADD, 3e6, READS, Stream.of(at(3e6, 10, Attempt.Outcome.REFUSED), at(3e6, 10, Attempt.Outcome.REFUSED)));
        assertThat(done(search)).isTrue();
        PartitionsResult found = search.result();
        assertThat(found.partitions()).isNull();
        assertThat(found.low()).as("11 carry more than 30 % of it, 33 all").isEqualTo(34);
        assertThat(found.high()).isNull();
        assertThat(found.reason()).isEqualTo("with 10 achieved 91 %");
    }

    @Test
    void whereTheyAddAShareThatIsSustainedConfirmsTheNumber() {
        PartitionSearch search = behind(
                ADD,
                3e6,
                READS,
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
    void whereAShareTakesMoreThanCalculatedSoDoesTheWhole() {
        Stream<PartitionTrial> carrying = Stream.of(
                at(1e6, 4, Attempt.Outcome.REFUSED),
                at(1e6, 4, Attempt.Outcome.REFUSED),
                at(1e6, 5, Attempt.Outcome.SUSTAINED));
        PartitionsResult found = behind(ADD, 1e6, READS, carrying).result();
        assertThat(found.partitions()).as("4 of a tenth are 40").isEqualTo(41);
        assertThat(found.high()).as("5 of a tenth").isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deliver", "produce"})
    void consumersThatCannotReadAllAreNotAskedTo(String workload) {
        Experiment experiment =
                Plans.read("load: { workload: " + workload + " }\nsearch: { partitions: { for: 10M/s } }");
        double reads = 200e3;
        PartitionSearch search = behind(experiment, ADD, 10e6, reads, Stream.of());
        Search.Next.Run next = (Search.Next.Run) search.heated();
        boolean read = workload.equals("deliver");
        assertThat(next.rate()).isEqualTo(read ? 0.9 * PartitionVariant.MOST_LOADS * reads : 10e6);
        assertThat(partitions(next)).isEqualTo(read ? PartitionVariant.MOST_LOADS : 50);
    }

    @Test
    void whatIsResumedIsHeatedOnceBeforeItsFirstStep() {
        PartitionSearch search = behind(ADD, 10e6, READS);
        Search.Next.Run first = (Search.Next.Run) search.next();
        assertThat(first.trial().heats()).isTrue();
        assertThat(first.rate()).isInfinite();
        assertThat(((Search.Next.Run) search.heated()).trial().heats()).isFalse();
        PartitionSearch whole =
                behind(ADD, 10e6, READS, whole(Attempt.Outcome.SUSTAINED, 31), whole(Attempt.Outcome.REFUSED, 30, 30));
        assertThat(whole.next()).as("nothing is left to heat for").isInstanceOf(Search.Next.Done.class);
    }

    @Test
    void onBrokersThatAreNotOursNothingIsHeated() {
        PartitionSearch search = behind(
                Plans.read("load: {}\ncluster: { bootstrap: \"127.0.0.1:1\" }\nsearch: { partitions: { for: 10M/s } }"),
                ADD,
                10e6,
                READS,
                Stream.of());
        assertThat(((Search.Next.Run) search.next()).trial().heats()).isFalse();
    }
}
