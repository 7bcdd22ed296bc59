package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class FixturesTest {
    private static final Path FOLDER = Path.of("src/test/resources/weir/plan/fixtures");

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
    void fixtureIsReadInFullAndShort(String name) {
        for (Overrides overrides : new Overrides[] {Overrides.NONE, Overrides.SHORT}) {
            Experiment experiment = PlanReader.read(FOLDER.resolve(name + ".yaml"), overrides);
            assertThat(experiment.variants())
                    .isNotEmpty()
                    .allSatisfy(variant -> assertThat(variant.settings()).isNotEmpty());
        }
    }
}
