package weir.feature.readers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.readers.ConsumersFound.ConsumersTrial;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.results.value.Attempt;
import weir.results.value.Attempt.Outcome;
import weir.results.value.SearchResults;
import weir.search.AdaptiveSearches;
import weir.search.Search;

/** Searches for consumers whose trials have a known truth. */
class ConsumersSearchTest {
    private static final String FILE = """
            topics: { t: { partitions: 32 } }
            load: { workload: deliver, group: g, work: 5ms }
            search: { consumers: { for: 1k/s, limits: [e2e p99 < 500ms] } }
            """;

    private static ConsumersSearch after(Experiment experiment, List<ConsumersTrial> trials) {
        ConsumersFound earlier = new ConsumersFound("base", 1_000, List.of(), trials, 200.0, null, null, "");
        return new ConsumersSearch(
                (ConsumersSearchSpec) experiment.adaptive().get(0),
                experiment.variants().get(0),
                Double.POSITIVE_INFINITY,
                new AdaptiveSearches(SearchResults.NONE.with(earlier), Map.of(), () -> 0, one -> true));
    }

    private static ConsumersSearch ended(String file, IntFunction<Outcome> truth) {
        Experiment experiment = Plans.read(file);
        List<ConsumersTrial> trials = new ArrayList<>();
        ConsumersSearch search = after(experiment, trials);
        while (search.next() instanceof Search.Next.Run next) {
            int consumers = next.trial().variant().load().consumers().count();
            Outcome outcome = truth.apply(consumers);
            String why = outcome == Outcome.SUSTAINED ? "" : "lag grew by 9/s";
            trials.add(new ConsumersTrial(consumers, new Attempt(trials.size() + 1, 1_000, 10, outcome, why)));
            search = after(experiment, trials);
        }
        return search;
    }

    private static Outcome outcome(boolean sustained) {
        return sustained ? Outcome.SUSTAINED : Outcome.REFUSED;
    }

    @ParameterizedTest
    @CsvSource({"5, 4, 4", "6, 7, 5", "12, 11, 11", "32, 20, 31"})
    void searchFindsTheSmallestNumberOfConsumers(int needed, int most, int refused) {
        ConsumersFound found =
                ended(FILE, consumers -> outcome(consumers >= needed)).result();
        assertThat(found.consumers()).isEqualTo(needed);
        assertThat(found.refused()).isEqualTo(refused);
        assertThat(found.trials()).hasSizeLessThanOrEqualTo(most);
        assertThat(found.clauses().get(0))
                .isEqualTo(needed + " consumers carry 1,000/s with e2e p99 < 500ms; " + refused + " do not");
    }

    @Test
    void searchFindsTheNumberAlthoughOneTrialInTenIsWrong() {
        SplittableRandom random = new SplittableRandom(7);
        int right = 0;
        for (int i = 0; i < 200; i++) {
            int needed = random.nextInt(5, 20);
            ConsumersFound found = ended(FILE, consumers -> outcome(consumers >= needed ^ random.nextInt(10) == 0))
                    .result();
            Integer consumers = found.consumers();
            right += consumers != null && Math.abs(consumers - needed) <= 1 ? 1 : 0;
        }
        assertThat(right).isGreaterThan(180);
    }

    @Test
    void searchThatNeedsMoreConsumersThanPartitionsNamesThePartitions() {
        ConsumersSearch search = ended(FILE, consumers -> Outcome.REFUSED);
        assertThat(search.result().clauses())
                .containsExactly(
                        "More than 32 consumers would be needed for 1,000/s with e2e p99 < 500ms",
                        "32 consumers can work on at most 6,400/s",
                        "with 32 lag grew by 9/s; the topics have 32 partitions, and each partition has one reader");
        assertThat(search.caveats()).isEmpty();
    }

    @Test
    void answerNamesPartitionsThatConsumersCannotShareEvenly() {
        ConsumersFound found = ended(FILE.replace("32", "16"), consumers -> outcome(consumers >= 8))
                .result();
        assertThat(found.reason())
                .isEqualTo("with 7 lag grew by 9/s; a consumer with 3 of the 16 partitions gets 188/s, and can work on"
                        + " 200/s");
    }

    @Test
    void searchOfAShareGroupMayUseMoreConsumersThanPartitions() {
        String file =
                FILE.replace("group: g", "group: { name: g, protocol: share }, consumer: { max.poll.records: 10 }");
        assertThat(ended(file.replace("partitions: 32", "partitions: 1"), consumers -> outcome(consumers >= 7))
                        .result()
                        .consumers())
                .isEqualTo(7);
    }

    @Test
    void searchEndsWhereTheGeneratorIsTheLimit() {
        ConsumersFound found = ended(FILE, consumers -> consumers < 6 ? Outcome.REFUSED : Outcome.OURS)
                .result();
        assertThat(found.consumers()).isNull();
        assertThat(found.reason()).startsWith("the generator is the limit");
    }

    @Test
    void searchNeedsARateAndAWorkloadWithReaders() {
        assertThat(Plans.problems(FILE.replace("for: 1k/s, ", "")))
                .contains("search.consumers: needs 'for', such as for: 1k/s");
        assertThat(Plans.problems(FILE.replace("deliver, group: g, work: 5ms", "produce")))
                .contains("search.consumers");
    }
}
