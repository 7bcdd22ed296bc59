package weir.plan.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactTest {
    @Test
    void anExceptionDoesNotTellAPassword() {
        assertThat(Redact.text("LoginModule required username=\"bob\" password=\"hunter2\"; at x"))
                .isEqualTo("LoginModule required username=\"bob\" password=***; at x");
        assertThat(Redact.text("ssl.keystore.password: hunter2, ssl.keystore.type: PEM"))
                .isEqualTo("ssl.keystore.password: ***, ssl.keystore.type: PEM");
        assertThat(Redact.text("{\"client_secret\": \"hunter2\"}")).doesNotContain("hunter2");
        assertThat(Redact.text("Invalid value Login x=hunter2 y for configuration sasl.jaas.config: no semicolon"))
                .doesNotContain("hunter2")
                .contains("semicolon");
    }

    @Test
    void whatIsNoSecretStays() {
        String text =
                "java.lang.IllegalStateException: topic orders: 3 of 4 partitions\n\tat weir.plan.property.SecretReferences.resolve(Secrets.java:35)";
        assertThat(Redact.text(text)).isEqualTo(text);
    }

    @Test
    void aKnownSecretIsHiddenWhereverItStands() {
        Map<String, String> properties =
                Map.of("ssl.key.password", "hunter2", "client.id", "bobby", "sasl.mechanism", "PLAIN");
        assertThat(ResolvedSecrets.named(properties).text("cannot open with hunter2 as bobby by PLAIN"))
                .isEqualTo("cannot open with *** as bobby by PLAIN");
    }
}
