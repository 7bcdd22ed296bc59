package weir.plan.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class PaceAloneVariantTest {
    private static final String STEPPED = """
            load:
              workload: deliver
              value: { size: 250B }
              rate: { steps: [1000/s to 1200/s by 100/s for 30s, 100/s for 60s, 2000/s for 2s], rest: 5s }
            measure: null
            search: { breaking-point: { of: each } }
            """;

    private static Experiment plan(String text, Overrides overrides) {
        return PlanReader.read(Path.of("x.yaml"), text, overrides);
    }

    @Test
    void theSendingSideIsTriedAtEachRisingRateForAFewSeconds() {
        Variant alone =
                PaceAloneVariant.of(plan(STEPPED, Overrides.NONE).variants().get(0));
        assertThat(alone.load().target()).isEqualTo(LoadSpec.Target.NULL);
        assertThat(alone.load().workload()).isEqualTo(LoadSpec.Workload.PRODUCE);
        RateSpec.Steps rate = (RateSpec.Steps) alone.load().rate();
        assertThat(rate.steps().stream()
                        .map(step -> step.rate().text() + " " + step.length().toSeconds())
                        .collect(Collectors.joining(", ")))
                .isEqualTo("1000/s 5, 1100/s 5, 1200/s 5, 2000/s 2");
        assertThat(rate.rest()).isEqualTo(Duration.ZERO);
        assertThat(alone.measure()).isInstanceOf(MeasureSpec.AsLongAsRates.class);
    }

    @Test
    void itIsAskedOnlyOfThoseThatMayBreakAndNotInShort() {
        Experiment full = plan(STEPPED, Overrides.NONE);
        assertThat(PaceAloneVariant.asked(full, full.variants().get(0))).isTrue();
        assertThat(PaceAloneVariant.takes(full)).isEqualTo(Duration.ofSeconds(17 + 6));
        Experiment unasked = plan(STEPPED.replaceAll("search:.*\n", ""), Overrides.NONE);
        assertThat(PaceAloneVariant.asked(unasked, unasked.variants().get(0))).isFalse();
        Experiment brief = plan(STEPPED, Overrides.SHORT);
        assertThat(PaceAloneVariant.asked(brief, brief.variants().get(0))).isFalse();
        assertThat(PaceAloneVariant.takes(brief)).isZero();
    }

    @Test
    void variantsThatSendAlikeAreTriedOnce() {
        Experiment twice = plan(
                STEPPED + "variants: { one: {}, two: { cluster: { heap: 2GiB }, load: { consumers: 1 } } }\n"
                        + "cluster: { fresh: trial }\n",
                Overrides.NONE);
        assertThat(PaceAloneVariant.takes(twice)).isEqualTo(Duration.ofSeconds(17 + 6));
    }

    @Test
    void ratesPerProducerStaySo() {
        Variant alone = PaceAloneVariant.of(Plans.only("""
                load: { producers: 2, rate: { steps: [10/s per producer for 60s, 100/s per producer for 60s] } }
                measure: null
                """));
        assertThat(((RateSpec.Steps) alone.load().rate()).steps())
                .extracting(RateSpec.Step::perProducer)
                .containsExactly(true, true);
    }
}
