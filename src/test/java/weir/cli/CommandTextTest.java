package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandTextTest {
    @Test
    void secretsOnTheCommandLineAreHidden() {
        assertThat(CommandText.hidden("-Xssl.key.password=hunter2")).isEqualTo("-Xssl.key.password=***");
        assertThat(CommandText.hidden("sasl.jaas.config=a b=c")).isEqualTo("sasl.jaas.config=***");
        assertThat(CommandText.hidden("cluster.client.ssl.key.password=x"))
                .isEqualTo("cluster.client.ssl.key.password=***");
        assertThat(CommandText.hidden("--set=load.producer.sasl.jaas.config=x"))
                .isEqualTo("--set=load.producer.sasl.jaas.config=***");
    }

    @Test
    void whatIsNoSecretIsKept() {
        assertThat(CommandText.hidden("load.producer.linger.ms=5")).isEqualTo("load.producer.linger.ms=5");
        assertThat(CommandText.hidden("--short")).isEqualTo("--short");
    }
}
