package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.judge.caveat.RunCaveats;
import weir.plan.Experiment;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.run.Sample;

class PresetCaveatsTest {
    @TempDir
    Path folder;

    @Test
    void externalBrokersWithoutPresetSettingsRaiseANote() throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"),
                "name: e\nload: { rate: 1/s }\ncluster: { bootstrap: \"h:1\" }\nvariants: { a: { preset: durability } }\n");
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        List<Property> brokers = List.of(
                new Property("broker 1", "min.insync.replicas", "", "1", "1", Source.DEFAULT),
                new Property("broker 2", "min.insync.replicas", "", "2", "1", Source.CLUSTER),
                new Property("broker 1", "unclean.leader.election.enable", "", "false", "false", Source.DEFAULT),
                new Property("broker 1", "num.io.threads", "", "8", "8", Source.DEFAULT));
        assertThat(RunCaveats.of(
                        experiment,
                        RequestedExperiment.of(experiment, "test", "weir"),
                        new Machine(Map.of(), Map.of("a", brokers), List.of()),
                        List.of(Sample.GOOD.trial("a", 1))))
                .singleElement()
                .satisfies(caveat -> {
                    assertThat(caveat.type()).isEqualTo("preset-not-met");
                    assertThat(caveat.evidence())
                            .isEqualTo("a: the brokers lack settings of the preset:"
                                    + " min.insync.replicas is 1 / 2 (2 required)");
                });
    }
}
