package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.BacklogSpec;
import weir.plan.ByteSize;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.plan.trial.Estimate;

class ShortFormTest {
    private static final String PLAN = """
            load: { rate: 10/s }
            accept: { shared-cores: one machine, rate-missed: mine }
            expect: [lost == 0, response p99 < 1s, achieved >= 99.5%, acked/s > 5/s, acked/s of a / b > 1]
            variants: { a: {}, b: {} }
            """;

    private static Experiment read(String plan, boolean shortened) {
        return Plans.read(plan, new Overrides(List.of(), List.of(), "", "", List.of(), shortened));
    }

    private static List<String> expected(String plan, boolean shortened) {
        return read(plan, shortened).expectations().stream()
                .map(Expectation::text)
                .toList();
    }

    @Test
    void ofWhatIsExpectedOnlyCountsAreJudged() {
        assertThat(expected(PLAN, true)).containsExactly("lost == 0");
        assertThat(expected(PLAN, false)).hasSize(5);
        assertThat(read(PLAN, true).unjudged())
                .containsExactly("response p99 < 1s", "achieved >= 99.5%", "acked/s > 5/s", "acked/s of a / b > 1");
        assertThat(read(PLAN, false).unjudged()).isEmpty();
    }

    @Test
    void expectationsOfTheShortFormAreJudged() {
        assertThat(expected(PLAN + "short: { expect: [response p99 < 5s] }\n", true))
                .containsExactly("response p99 < 5s");
    }

    @Test
    void shortFormAcceptsALateGeneratorAndKeepsOtherReasons() {
        assertThat(read(PLAN, true).accepted())
                .containsEntry("generator-late", ShortForm.WHY)
                .containsEntry("rate-missed", "mine")
                .containsEntry("shared-cores", "one machine");
        assertThat(read(PLAN, false).accepted()).doesNotContainKey("generator-late");
    }

    private static Variant brief(String yaml) {
        return Plans.only(yaml, Overrides.SHORT);
    }

    private static Duration length(RateSpec rate) {
        return ((RateSpec.Steps) rate)
                .steps().stream().map(RateSpec.Step::length).reduce(Duration.ZERO, Duration::plus);
    }

    @Test
    void aFileWithoutASectionShortIsShortToo() {
        Variant brief =
                brief("load: { rate: 1k/s }\nwarmup: { until: steady, max: 2m }\nmeasure: 3m\nrepeat: 10\ndrain: 60s");
        assertThat(brief.repeat()).isEqualTo(1);
        assertThat(brief.warmup()).isEqualTo(new WarmupSpec.UntilSteady(Duration.ofSeconds(3)));
        assertThat(brief.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(10)));
        assertThat(brief.drain()).isEqualTo(Duration.ofSeconds(10));
        assertThat(brief.settings().get("measure")).isEqualTo(new Setting("measure", "10000ms", "--short"));
        Variant defaults = brief("load: { rate: 1k/s }");
        assertThat(defaults.warmup()).isEqualTo(new WarmupSpec.For(Duration.ofSeconds(3)));
        assertThat(defaults.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(10)));
    }

    @Test
    void theSectionShortAndTheCommandLineMayAskForMore() {
        String file = "load: { workload: deliver, rate: 1k/s, backlog: 5M records }\nmeasure: 3m\nrepeat: 10\n"
                + "short: { measure: 45s, load: { backlog: 1M records } }";
        Variant brief = brief(file);
        assertThat(brief.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(45)));
        assertThat(brief.load().backlog()).isEqualTo(BacklogSpec.ofRecords(1_000_000));
        Overrides set = new Overrides(List.of("repeat=2", "warmup=20s"), List.of(), "", "", List.of(), true);
        Variant asked = Plans.only(file, set);
        assertThat(asked.repeat()).isEqualTo(2);
        assertThat(asked.warmup()).isEqualTo(new WarmupSpec.For(Duration.ofSeconds(20)));
    }

    @Test
    void aBacklogIsBoundedInEachVariantAndIsEnoughForItsReader() {
        String file = """
                load: { workload: consume, backlog: 15M records }
                warmup: { operations: 2M }
                measure: { operations: 10M }
                variants: { read: {}, bulk: { like: read } }
                """;
        for (Variant brief : Plans.read(file, Overrides.SHORT).variants()) {
            assertThat(brief.load().backlog()).isEqualTo(BacklogSpec.ofRecords(200_000));
            assertThat(brief.measure()).isEqualTo(new MeasureSpec.Operations(50_000));
        }
        Variant much = brief(file + "short: { measure: { operations: 600k } }");
        assertThat(much.load().backlog()).isEqualTo(BacklogSpec.ofRecords(866_666));
        Variant cold = brief(file.replace("15M records", "{ records: 15M, cache: cold }"));
        assertThat(cold.load().backlog()).isEqualTo(new BacklogSpec(200_000, new ByteSize(0), BacklogSpec.Cache.COLD));
    }

    @Test
    void operationsThatWaitForEachOtherAreFew() {
        assertThat(brief("load: { rate: one at a time }\nmeasure: { operations: 10k }")
                        .measure())
                .isEqualTo(new MeasureSpec.Operations(200));
        assertThat(brief("load: { rate: 20/s }\nmeasure: { operations: 10k }").measure())
                .isEqualTo(new MeasureSpec.Operations(200));
    }

    @Test
    void stepsAndRampsAreShorter() {
        RateSpec steps = brief("load: { rate: { steps: [200/s to 1000/s by 200/s for 60s, 100/s for 1s], rest: 60s } }")
                .load()
                .rate();
        assertThat(length(steps)).isEqualTo(Duration.ofSeconds(12));
        assertThat(((RateSpec.Steps) steps).rest()).isEqualTo(Duration.ofSeconds(1));
        assertThat(length(brief("load: { rate: \"1000:30,1500,100:5\" }").load().rate()))
                .isEqualTo(Duration.ofSeconds(6));
        assertThat(brief("load: { rate: { ramp: { from: 1/s, to: 9/s, over: 5m } } }")
                        .load()
                        .rate())
                .isInstanceOfSatisfying(
                        RateSpec.Ramp.class, ramp -> assertThat(ramp.over()).isEqualTo(Duration.ofSeconds(10)));
    }

    @Test
    void shortFormKeepsDisturbancesInsideTheMeasuredTime() {
        Variant brief = brief("cluster: { brokers: 3, controllers: 1 }\ntopics: { t: { replication: 3 } }\n"
                + "load: { rate: 1k/s }\nmeasure: 120s\nduring: { crash: { at: 30s, for: 30s, kill: broker 2 } }");
        assertThat(brief.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(30)));
        assertThat(brief.during().values()).singleElement().satisfies(crash -> {
            assertThat(crash.at()).isEqualTo(Duration.ofMillis(7_500));
            assertThat(crash.length()).isEqualTo(Duration.ofMillis(7_500));
        });
    }

    @Test
    @NeedsFeature("partitions")
    @Tag("with-tune")
    void everySearchIsShort() {
        String capacity = "load: { rate: 50% of capacity }\nmeasure: 420s\nrepeat: 5\n"
                + "search: { capacity: { limits: [response p99 < 100ms], precision: 5% } }";
        String partitions = "load: {}\nsearch: { partitions: { for: 10M/s } }";
        String tune = "load: {}\nsearch: { tune: { space: { load.producer.linger.ms: [0, 5] } } }";
        for (String file : List.of(capacity, partitions, tune)) {
            Experiment brief = Plans.read(file, Overrides.SHORT);
            assertThat(Estimate.of(brief).time()).as(file).isLessThan(Duration.ofSeconds(160));
            assertThat(Estimate.of(Plans.read(file)).time()).as(file).isGreaterThan(Duration.ofSeconds(70));
        }
        Experiment asked = Plans.read(
                capacity.replace("5% } }", "5% } }\nshort: { search: { capacity: { measure: 4s } } }"),
                Overrides.SHORT);
        assertThat(asked.capacities().get(0).measure()).isEqualTo(Duration.ofSeconds(4));
    }
}
