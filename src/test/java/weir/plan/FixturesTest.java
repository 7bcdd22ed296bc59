package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;

class FixturesTest {
    private static final Path FOLDER = Path.of("src/test/resources/weir/plan/fixtures");

    @Test
    @NeedsFeature
    void eventDeliveryFixtureIsValidInBothForms() {
        Path file = FOLDER.resolve("event-delivery.yaml");
        Experiment full = PlanReader.read(file, Overrides.NONE);
        Experiment brief = PlanReader.read(file, Overrides.SHORT);
        assertThat(Estimate.of(full).trials())
                .as("each variant five times, and two of them profiled")
                .isEqualTo(52);
        assertThat(Estimate.of(full).time()).isBetween(Duration.ofHours(5), Duration.ofHours(7));
        assertThat(brief.variants())
                .as("steps stand in for the six minutes of some variants")
                .hasSize(10)
                .allSatisfy(variant -> {
                    assertThat(variant.measure()).isEqualTo(new MeasureSpec.AsLongAsRates());
                    assertThat(Demand.length(variant)).isEqualTo(Duration.ofSeconds(12));
                });
        assertThat(full.variants())
                .filteredOn(variant -> variant.load().producers().engine() == LoadSpec.Engine.CLIENT)
                .extracting(Variant::name)
                .containsExactly("kafka-source");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "broker-dies",
                "event-delivery",
                "http-ingest",
                "lz4-or-zstd",
                "nightly",
                "noisy-neighbour",
                "partitions-for-2gb",
                "transactions",
                "tuning-and-scale",
                "upgrade"
            })
    @NeedsFeature
    void fixtureIsReadInFullAndShort(String name) {
        for (Overrides overrides : new Overrides[] {Overrides.NONE, Overrides.SHORT}) {
            Experiment experiment = PlanReader.read(FOLDER.resolve(name + ".yaml"), overrides);
            assertThat(experiment.variants())
                    .isNotEmpty()
                    .allSatisfy(variant -> assertThat(variant.settings()).isNotEmpty());
        }
    }
}
