package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.NeedsFeature;
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
    void searchTrialHasAFixedRateAndNoDisturbance() {
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
    void confirmingTrialIsVerified() {
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
    void onlySearchOnOwnBrokersWarmsUpAtFullSpeed() {
        Experiment free = Plans.read("load: { value: { size: 2KiB } }\n" + SEARCH);
        SearchSpec.Capacity search = free.capacities().get(0);
        Variant variant = free.variants().get(0);
        assertThat(search.warmsUp(variant)).isTrue();
        Variant heated = FixedRateVariant.warmUp(variant, search, Double.POSITIVE_INFINITY, Duration.ofSeconds(12));
        assertThat(heated.load().rate()).isEqualTo(new RateSpec.Max());
        assertThat(FixedRateVariant.warmUp(variant, search, 12_300, Duration.ofSeconds(12))
                        .load()
                        .rate())
                .isEqualTo(new RateSpec.Fixed(Rate.of(12_300), false));
        assertThat(heated.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(12)));
        assertThat(heated.warmup()).isEqualTo(new WarmupSpec.None());
        assertThat(heated.verify()).isEqualTo(Verify.FALSE);
        assertThat(heated.load().messages().value())
                .isEqualTo(variant.load().messages().value());
        Variant theirs = Plans.only("cluster: { bootstrap: \"kafka:9092\" }\nload: {}\n" + SEARCH);
        assertThat(search.warmsUp(theirs)).isFalse();
        assertThat(search.warmsUp(Plans.only("load: { target: null }\n" + SEARCH)))
                .isFalse();
    }

    @Test
    void shareOfCapacityBecomesAFixedRateWithItsOrigin() {
        Variant half = Plans.only("load: { rate: 50% of capacity }\n" + SEARCH);
        Variant rated = FixedRateVariant.of(half, 41_200, "capacity of base, 41,200/s");
        assertThat(rated.load().rate()).isEqualTo(new RateSpec.Fixed(Rate.of(20_600), false));
        assertThat(rated.settings().get("load.rate"))
                .isEqualTo(new Setting("load.rate", "20.6k/s", "capacity of base, 41,200/s"));
    }

    @Test
    void highPercentileAtALowRateExtendsTheTrialUpToALimit() {
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
    void selfComparisonRequiresARate() {
        assertThat(problemOf("load: { rate: 50% of capacity }\n" + SEARCH))
                .contains("--a-a: skips the search, and variant 'base' has no rate without");
        assertThat(problemOf("load: {}\n" + SEARCH)).contains("--set load.rate=10k/s");
    }

    @Test
    @NeedsFeature("partitions")
    void aVariantWithoutRateIsSearchedForPartitionsOrRefused() {
        String two = "variants: { a: {}, b: {} }\nsearch: { partitions: { for: 1M/s } }\n";
        assertThat(Plans.problems("load: {}\n" + two))
                .contains("variant 'b' has no rate and no search; write rate: max, or search each");
        assertThat(Plans.problems("load: {}\n" + two.replace("{ for", "{ of: each, for")))
                .isEmpty();
        assertThat(Plans.problems("load: { rate: max }\n" + two)).isEmpty();
        assertThat(Trials.of(Plans.read("load: {}\nsearch: { partitions: { for: 1M/s } }")))
                .isEmpty();
    }

    @Test
    @NeedsFeature("partitions")
    void partitionSearchIsEstimatedInMinutesWithoutABound() {
        Estimate estimate = Estimate.of(Plans.read("load: {}\nsearch: { partitions: { for: 10M/s } }"));
        assertThat(estimate.time()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(6));
        assertThat(estimate.bounded()).isFalse();
    }

    @Test
    @NeedsFeature("partitions")
    void partitionSearchOnOwnBrokersHasNoRateBound() {
        String yaml = "load: {}\nsearch: { partitions: { for: 1k/s } }";
        Estimate ours = Estimate.of(Plans.read(yaml));
        assertThat(ours.bounded()).isFalse();
        // 15 s of warm-up load, and four loads of 3 s after a second of warm-up, at full speed; all others at 1,000/s.
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

    private static String each(int many, java.util.function.IntFunction<String> line) {
        return IntStream.rangeClosed(1, many).mapToObj(line).collect(Collectors.joining());
    }

    @Test
    void likeChainAboveTheLimitIsRefusedAtItsLine() {
        String chain = "variants:\n  v0: {}\n" + each(500, i -> "  v" + i + ": { like: v" + (i - 1) + " }\n");
        assertThat(Plans.problems(chain))
                .startsWith("x.yaml:103:17: variants.v101.like: must be a chain of at most 100 variants; let some"
                        + " variants start from an");
        assertThat(Plans.problems(
                        "variants:\n  v0: {}\n" + each(99, i -> "  v" + i + ": { like: v" + (i - 1) + " }\n")))
                .isEmpty();
    }

    @Test
    void likeChainMayHaveAnyOrder() {
        String chain = "variants:\n" + each(3_000, i -> "  v" + i + ": { like: v" + (i + 1) + " }\n") + "  v3001: {}\n";
        assertThat(Plans.problems(chain)).startsWith("x.yaml:1002:3: variants.v1001: must be at most 1000 variants");
        String shorter = "variants:\n" + each(900, i -> "  v" + i + ": { like: v" + (i + 1) + " }\n") + "  v901: {}\n";
        assertThat(Plans.problems(shorter))
                .startsWith("x.yaml:102:17: variants.v101.like: must be a chain of at most 100 variants");
    }

    @Test
    void firstHundredProblemsOfDisturbancesAreThoseOfTheFirstNames() {
        String many = "during:\n" + each(150, i -> "  d" + (100 + i) + ": { at: 1s, kill: broker 1 }\n");
        assertThat(Plans.problems(many))
                .contains("during.d101.kill: ", "during.d200.kill: ")
                .doesNotContain("during.d202.");
        assertThat(Plans.problems(many).split("during\\.d")).hasSize(101);
    }

    @Test
    @Tag("long")
    void tenThousandVariantsOrValuesAreTooMany() {
        assertThat(Plans.problems("variants:\n" + each(20_000, i -> "  v" + i + ": {}\n")))
                .startsWith("x.yaml:1002:3: variants.v1001: must be at most 1000 variants")
                .hasLineCount(3);
        String settings = each(900, i -> "s" + i + ": 1, ");
        String topics = "topics:\n" + each(10, i -> "  t" + i + ": { config: { " + settings + "} }\n");
        assertThat(Plans.problems(topics + "variants:\n" + each(13, i -> "  v" + i + ": {}\n")))
                .contains("must be at most 100000 values in an experiment; this variant exceeds the limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0007", "\u001b[31m", "\ufffe"})
    void aCharacterThatCannotBeSeenIsSaidWithItsPlace(String character) {
        String refused = Plans.problems("name: x\r\nseed: 1\nquestion: \"a" + character + "\"");
        assertThat(refused)
                .startsWith("x.yaml:3:13: this is not YAML: the character U+")
                .doesNotContain(character);
    }

    @Test
    void terminalEscapesOfAFileArePrintedEscaped() {
        assertThat(Plans.problems("name: \"\\e[31mred\""))
                .contains("\\u001b[31mred")
                .doesNotContain("\u001b");
    }

    @Test
    void aHundredProblemsAreEnough() {
        assertThat(Plans.problems("load:\n" + each(500, i -> "  k" + i + ": 1\n"))
                        .lines())
                .filteredOn(line -> line.startsWith("x.yaml"))
                .hasSize(101)
                .last()
                .asString()
                .endsWith("more problems follow; only the first 100 are listed");
    }
}
