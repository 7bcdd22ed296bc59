package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.property.WireProperties;

class EngineChecksTest {
    @Test
    void everythingThatWireTakesIsAPropertyOfTheClients() {
        assertThat(WireProperties.known()).hasSizeGreaterThan(40);
        assertThat(WireProperties.known())
                .hasEntrySatisfying(
                        "linger.ms", linger -> assertThat(linger.fallback()).isEqualTo("5"));
    }
}
