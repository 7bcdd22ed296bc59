package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.Problems;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.trial.Estimate;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.SelfComparison;
import weir.plan.trial.Trials;

class SearchChecksTest {
    private static final String SEARCH = "search: { capacity: { limits: [response p99 < 50ms] } }\n";

    private static String problem(String capacity) {
        return Plans.problems("load: { workload: deliver }\nsearch: { capacity: { " + capacity + " } }");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "from: 10k/s, to: 5k/s  | search.capacity.from: a search from 10k/s to 5000/s has nowhere to go",
                "from: 1k/s, to: 5MB/s  | search.capacity.to: '5MB/s' and '1000/s' for 'from' count different things",
                "precision: 0%          | search.capacity.precision: must be above 0%",
                "precision: 100%        | search.capacity.precision: must be at most 99%",
                "measure: 0s            | search.capacity.measure: must be above 0s",
                "of: nobody             | search.capacity.of: there is no variant 'nobody'",
                "limits: [begin p99 < 1s] | has no begin: there are no transactions",
                "limits: [gap < 1s]     | has no gap: nothing disturbs it",
                "limits: [capacity > 1/s] | a limit holds for every trial of the search",
            })
    void whatCannotBeSearchedIsRefusedWhereItStands(String capacity, String message) {
        String told = problem(capacity);
        assertThat(told).startsWith("x.yaml:2:");
        assertThat(told).contains(message);
    }

    @Test
    void aLimitIsOneThatTheWorkloadCanBeHeldAgainst() {
        assertThat(Plans.problems("load: { rate: max }\nverify: false\nsearch: { capacity: { limits: [lost == 0] } }"))
                .contains("x.yaml:3:")
                .contains("has no lost: nothing is read back with verify: false");
        assertThat(Plans.problems("load: { rate: max }\nsearch: { capacity: { limits: [e2e p99 < 1s] } }"))
                .contains("has no e2e: only the workload deliver");
        // In a search every load has a rate to achieve.
        assertThat(Plans.problems("load: { rate: max }\nsearch: { capacity: { limits: [achieved >= 99.9%] } }"))
                .isEmpty();
    }

    @Test
    void readingHasNoRateToRaise() {
        assertThat(Plans.problems("load: { workload: consume, backlog: 1k records, rate: max }\n" + SEARCH))
                .contains("there is no rate to raise; write workload: deliver");
    }

    @Test
    void aShareOfTheCapacityNeedsSomebodyWhoMeasuresIt() {
        assertThat(Plans.problems("load: { rate: 50% of capacity }"))
                .contains("load.rate: nothing here measures the capacity; write search: { capacity:");
        assertThat(Plans.problems("load: { rate: 0% of capacity }\n" + SEARCH)).contains("sends nothing");
        assertThat(Plans.problems("load: { rate: 50% of capacity }\n" + SEARCH)).isEmpty();
    }

    @Test
    void aVariantWithoutRateIsSearchedOrRefused() {
        String two = "variants: { a: {}, b: {} }\n" + SEARCH;
        assertThat(Plans.problems("load: {}\n" + two))
                .contains("variant 'b' has no rate, and nothing searches it")
                .contains("search.capacity.of: each");
        assertThat(Plans.problems("load: {}\n" + two.replace("{ limits", "{ of: each, limits")))
                .isEmpty();
        assertThat(Plans.problems("load: { rate: 1k/s }\n" + two)).isEmpty();
    }

    @Test
    void withoutRateTheSearchIsTheWholeExperiment() {
        Experiment alone = Plans.read("load: {}\n" + SEARCH);
        assertThat(Trials.of(alone)).isEmpty();
        assertThat(Estimate.of(alone).time()).isGreaterThan(Duration.ofMinutes(2));
        assertThat(Estimate.of(alone).bounded()).isFalse();
        Experiment bounded = Plans.read("load: {}\n" + SEARCH.replace("{ limits", "{ to: 10k/s, limits"));
        assertThat(Estimate.of(bounded).bounded()).isTrue();
        assertThat(Estimate.of(bounded).records()).isEqualTo((26 * 7 + (5 + 3) * 75 / 2 + 15 + 10) * 10_000);
        assertThat(Trials.of(Plans.read("load: { rate: max }\n" + SEARCH))).hasSize(1);
    }

    @Test
    void aTrialOfASearchHasTheLoadAtAFixedRateAndNothingElse() {
        Experiment experiment = Plans.read("""
                cluster: { brokers: 1, controllers: 1, fresh: trial }
                load: { rate: 50% of capacity, value: { size: 2KiB } }
                measure: 7m
                during: { crash: { at: 180s, kill: broker 1 } }
                """ + SEARCH);
        SearchSpec.Capacity search = experiment.capacities().get(0);
        Variant tried = FixedRateVariant.tried(experiment.variants().get(0), search, 12_340, search.measure());
        assertThat(tried.load().rate()).isEqualTo(new RateSpec.Fixed(Rate.of(12_340), false));
        assertThat(tried.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(5)));
        assertThat(tried.warmup()).isEqualTo(new WarmupSpec.For(Duration.ofSeconds(2)));
        assertThat(tried.during()).isEmpty();
        assertThat(tried.cluster().fresh()).isEqualTo(ClusterSpec.Fresh.RUN);
        assertThat(tried.load().messages().value())
                .isEqualTo(experiment.variants().get(0).load().messages().value());
        assertThat(tried.values())
                .containsEntry("load.rate", "12.34k/s")
                .containsEntry("measure", "5000ms")
                .containsEntry("cluster.fresh", "run")
                .containsEntry("load.value.size", "2KiB")
                .noneSatisfy((path, value) -> assertThat(path).startsWith("during"));
    }

    @Test
    void theTrialThatConfirmsIsReadBackAndFollowsAPauseOfTheGenerator() {
        Experiment experiment = Plans.read("load: {}\n" + SEARCH);
        SearchSpec.Capacity search = experiment.capacities().get(0);
        Variant variant = experiment.variants().get(0);
        Variant confirmed = FixedRateVariant.confirmed(variant, search, 1_000);
        assertThat(confirmed.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(25)));
        assertThat(confirmed.warmup().length()).isEqualTo(Duration.ofMillis(12_500));
        assertThat(((RateSpec.Steps) ((WarmupSpec.ForAt) confirmed.warmup()).rate()).steps())
                .extracting(step -> step.rate().text() + " for " + step.length().toMillis())
                .containsExactly("1000/s for 2000", "0/s for 500", "51k/s for 10", "1000/s for 10000");
        assertThat(confirmed.verify()).isEqualTo(Verify.TRUE);
        assertThat(FixedRateVariant.tried(variant, search, 1_000).verify()).isEqualTo(Verify.FALSE);
        Experiment lost = Plans.read("load: {}\nsearch: { capacity: { limits: [lost == 0] } }");
        assertThat(FixedRateVariant.tried(
                                lost.variants().get(0), lost.capacities().get(0), 1_000)
                        .verify())
                .isEqualTo(Verify.TRUE);
    }

    @Test
    void onlyASearchOnBrokersOfOurOwnBeginsWithAllThatCanBeCarried() {
        Experiment free = Plans.read("load: { value: { size: 2KiB } }\n" + SEARCH);
        SearchSpec.Capacity search = free.capacities().get(0);
        Variant variant = free.variants().get(0);
        assertThat(search.heats(variant)).isTrue();
        Variant heated = FixedRateVariant.heated(variant, search, Double.POSITIVE_INFINITY, Duration.ofSeconds(12));
        assertThat(heated.load().rate()).isEqualTo(new RateSpec.Max());
        assertThat(FixedRateVariant.heated(variant, search, 12_300, Duration.ofSeconds(12))
                        .load()
                        .rate())
                .isEqualTo(new RateSpec.Fixed(Rate.of(12_300), false));
        assertThat(heated.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(12)));
        assertThat(heated.warmup()).isEqualTo(new WarmupSpec.None());
        assertThat(heated.verify()).isEqualTo(Verify.FALSE);
        assertThat(heated.load().messages().value())
                .isEqualTo(variant.load().messages().value());
        Variant theirs = Plans.only("cluster: { bootstrap: \"kafka:9092\" }\nload: {}\n" + SEARCH);
        assertThat(search.heats(theirs)).isFalse();
        assertThat(search.heats(Plans.only("load: { target: null }\n" + SEARCH)))
                .isFalse();
    }

    @Test
    void aShareOfTheCapacityIsOneRateThatSaysWhereItComesFrom() {
        Variant half = Plans.only("load: { rate: 50% of capacity }\n" + SEARCH);
        Variant rated = FixedRateVariant.of(half, 41_200, "capacity of base, 41,200/s");
        assertThat(rated.load().rate()).isEqualTo(new RateSpec.Fixed(Rate.of(20_600), false));
        assertThat(rated.settings().get("load.rate"))
                .isEqualTo(new Setting("load.rate", "20.6k/s", "capacity of base, 41,200/s"));
    }

    @Test
    void aFarPercentileOfASlowRateIsMeasuredForLongerButNotForEver() {
        String search = "load: {}\nsearch: { capacity: { limits: [response %s < 1s] } }";
        SearchSpec.Capacity p999 =
                Plans.read(search.formatted("p99.9")).capacities().get(0);
        assertThat(FixedRateVariant.length(p999, 1_000, p999.measure())).isEqualTo(Duration.ofSeconds(10));
        assertThat(FixedRateVariant.length(p999, 100_000, p999.measure())).isEqualTo(Duration.ofSeconds(5));
        assertThat(FixedRateVariant.length(p999, 10, p999.measure())).isEqualTo(Duration.ofSeconds(50));
        assertThat(FixedRateVariant.length(p999, 1_000, p999.confirming())).isEqualTo(Duration.ofSeconds(25));
        SearchSpec.Capacity brief = Plans.read(
                        "load: {}\nsearch: { capacity: { limits: [response p90 < 1s], measure: 500ms } }")
                .capacities()
                .get(0);
        assertThat(FixedRateVariant.length(brief, 500, brief.measure())).isEqualTo(Duration.ofMillis(500));
        assertThat(FixedRateVariant.length(brief, 50, brief.measure())).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void whatIsComparedWithItselfHasARateOfItsOwn() {
        assertThat(problemOf("load: { rate: 50% of capacity }\n" + SEARCH)).contains("--a-a: leaves the search out");
        assertThat(problemOf("load: {}\n" + SEARCH)).contains("--set load.rate=10k/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: {}  | for: 0/s           | for: must be above 0/s",
                "load: {}  | for: 1000000M/s    | '1000000M/s'",
                "load: {}  | limits: []         | search.partitions.for",
                "load: {}  | for: 1M/s, of: b   | of: there is no variant 'b'",
                "load: {}  | for: 1M/s, measure: 0s | measure: must be above 0s",
                "load: {}  | for: 1M/s, limits: [gap < 1s] | has no gap",
                "load: { workload: write } | for: 1M/s | requires load.workload: produce or deliver",
                "load: { target: null }    | for: 1M/s | requires load.target: cluster",
                "load: { workload: deliver, backlog: 1k records } | for: 1M/s | cannot be used with load.backlog",
                "topics: { a: {}, b: {} }  | for: 1M/s | uses the topics a, b, and partitions are counted for one",
                "topics: { a: { count: 3 } } | for: 1M/s | uses 3 topics 'a', and partitions are counted for one",
            })
    void whatHasNoNumberOfPartitionsIsRefusedWhereItStands(String load, String partitions, String message) {
        assertThat(Plans.problems(load + "\nsearch: { partitions: { " + partitions + " } }"))
                .startsWith("x.yaml:2:")
                .contains(message);
    }

    @Test
    void whereNoVariantCouldBeReadNoneIsSaidToBeLeftOut() {
        assertThat(Plans.problems("load: { producers: many }\nsearch: { partitions: { for: 1M/s } }"))
                .contains("load.producers")
                .doesNotContain("left out");
    }

    @Test
    void partitionsOfATopicThatIsThereCannotBeTried() {
        assertThat(Plans.problems("""
                        cluster: { bootstrap: "k:9092" }
                        topics: { a: { existing: true } }
                        search: { partitions: { for: 2GB/s } }
                        """)).contains("whose partitions cannot be tried in other numbers; remove existing");
    }

    @Test
    void aVariantWithoutRateIsSearchedForPartitionsOrRefused() {
        String two = "variants: { a: {}, b: {} }\nsearch: { partitions: { for: 1M/s } }\n";
        assertThat(Plans.problems("load: {}\n" + two))
                .contains("variant 'b' has no rate, and nothing searches it; write rate: max, or search each");
        assertThat(Plans.problems("load: {}\n" + two.replace("{ for", "{ of: each, for")))
                .isEmpty();
        assertThat(Plans.problems("load: { rate: max }\n" + two)).isEmpty();
        assertThat(Trials.of(Plans.read("load: {}\nsearch: { partitions: { for: 1M/s } }")))
                .isEmpty();
    }

    @Test
    void aSearchForPartitionsTakesMinutesAndIsNoBound() {
        Estimate estimate = Estimate.of(Plans.read("load: {}\nsearch: { partitions: { for: 10M/s } }"));
        assertThat(estimate.time()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(6));
        assertThat(estimate.bounded()).isFalse();
    }

    @Test
    void whatIsHeatedAndAddedOnOurBrokersIsNotBoundedByTheRate() {
        String yaml = "load: {}\nsearch: { partitions: { for: 1k/s } }";
        Estimate ours = Estimate.of(Plans.read(yaml));
        assertThat(ours.bounded()).isFalse();
        // 15 s of heating, and four loads of 3 s behind a second of warm-up, as fast as they go; all else at 1,000/s.
        assertThat(ours.records()).isBetween((long) (31 * ours.assumed()), (long) (34 * ours.assumed()));
        Estimate theirs = Estimate.of(Plans.read(yaml + "\ncluster: { bootstrap: \"127.0.0.1:1\" }"));
        assertThat(theirs.bounded()).isTrue();
        assertThat(theirs.records()).isLessThan(600_000);
    }

    private static String problemOf(String yaml) {
        try {
            SelfComparison.of(Plans.read(yaml));
            return "";
        } catch (Problems problems) {
            return problems.text();
        }
    }
}
