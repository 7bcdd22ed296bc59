package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import weir.feature.presets.PresetProperty.By;
import weir.feature.presets.PresetProperty.Side;
import weir.plan.property.BrokerProperties;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.syntax.Keys;

class PresetTest {
    @Test
    void presetsAreThoseThatAnExperimentMayName() {
        assertThat(Keys.at("variants.*.preset").allowed()).isEqualTo(Preset.names());
    }

    @Test
    void everyPropertyIsKnownToWhomItIsGiven() {
        Preset.all()
                .forEach(preset -> preset.properties()
                        .forEach(property -> assertThat(known(property))
                                .as("%s: %s %s", preset.name(), property.side(), property.name())
                                .isTrue()));
    }

    private static boolean known(PresetProperty property) {
        return switch (property.side()) {
            case PRODUCER, CONSUMER -> {
                Properties.Known known = Properties.known().get(property.name());
                yield known != null && known.clients().contains(property.side().word());
            }
            case TOPIC ->
                property.name().equals(Property.REPLICATION)
                        || BrokerProperties.ofTopics().contains(property.name());
            case BROKER -> BrokerProperties.defaults().containsKey(property.name());
        };
    }

    @Test
    void bothEndsOfTheRangesAreRun() {
        assertThat(Preset.named("throughput").values(Side.PRODUCER))
                .containsEntry("batch.size", "100000")
                .containsEntry("linger.ms", "10")
                .containsEntry("acks", "1");
        assertThat(Preset.named("throughput-high").values(Side.PRODUCER))
                .containsEntry("batch.size", "200000")
                .containsEntry("linger.ms", "100")
                .containsEntry("acks", "1");
        assertThat(Preset.named("throughput-high").of(Side.PRODUCER))
                .filteredOn(property -> property.name().equals("linger.ms"))
                .extracting(PresetProperty::other)
                .containsExactly("10");
    }

    @Test
    void whatTheOperatorOrWeirSetsIsShownAndNotRun() {
        Preset durability = Preset.named("durability");
        assertThat(durability.of(Side.BROKER))
                .filteredOn(property -> property.by() == By.OPERATOR)
                .extracting(PresetProperty::name)
                .containsExactly("broker.rack", "log.flush.interval.messages", "log.flush.interval.ms");
        assertThat(durability.values(Side.BROKER)).doesNotContainKey("broker.rack");
        assertThat(durability.values(Side.CONSUMER)).isEmpty();
        assertThat(durability.of(Side.CONSUMER)).extracting(PresetProperty::by).containsExactly(By.WEIR);
    }

    @Test
    void aMistypedPresetIsAnsweredWithTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Preset.named("durabilty"))
                .withMessage("there is no preset 'durabilty'; did you mean 'durability'?");
    }
}
