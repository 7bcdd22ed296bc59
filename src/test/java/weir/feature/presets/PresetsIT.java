package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.release.BrokerDefinition;
import weir.cluster.release.Release;
import weir.feature.presets.PresetProperty.Side;

class PresetsIT {
    @ParameterizedTest
    @ValueSource(strings = {"2.7.2", "3.9.2", "4.4.0"})
    void eachReleaseHasTheBrokerPropertiesOfPresets(String release) {
        SortedMap<String, String> defaults = BrokerDefinition.defaults(Release.fetch(release, doing -> {}));
        Preset.all()
                .forEach(preset -> preset.of(Side.BROKER)
                        .forEach(property -> assertThat(defaults).containsKey(property.name())));
    }
}
