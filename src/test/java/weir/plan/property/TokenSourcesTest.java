package weir.plan.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.plan.Problems;

class TokenSourcesTest {
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.";

    @Test
    void aFileWhoseUrlCannotBeReadIsAMistakeInTheProperties() {
        assertThatThrownBy(
                        () -> TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", "file:///run/a token")))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("'file:///run/a token' is no URL")
                .hasMessageContaining("a space is written %20");
    }

    @Test
    void sourcesThatPropertiesNameAreAllowedBesideThoseOfTheJvm() {
        System.setProperty(ALLOWED + "urls", "https://first/");
        try {
            TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", " file:///run/a%20token "));
            TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", "https://idp/token", "linger.ms", "5"));
            assertThat(System.getProperty(ALLOWED + "urls"))
                    .isEqualTo("https://first/,file:///run/a%20token,https://idp/token");
            assertThat(System.getProperty(ALLOWED + "files")).isEqualTo("/run/a token");
        } finally {
            System.clearProperty(ALLOWED + "urls");
            System.clearProperty(ALLOWED + "files");
        }
    }
}
