package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TypedTest {
    @Test
    void secretsOnTheCommandLineAreHidden() {
        assertThat(Typed.hidden("-Xssl.key.password=hunter2")).isEqualTo("-Xssl.key.password=***");
        assertThat(Typed.hidden("sasl.jaas.config=a b=c")).isEqualTo("sasl.jaas.config=***");
        assertThat(Typed.hidden("cluster.client.ssl.key.password=x")).isEqualTo("cluster.client.ssl.key.password=***");
        assertThat(Typed.hidden("--set=load.producer.sasl.jaas.config=x"))
                .isEqualTo("--set=load.producer.sasl.jaas.config=***");
    }

    @Test
    void whatIsNoSecretIsKept() {
        assertThat(Typed.hidden("load.producer.linger.ms=5")).isEqualTo("load.producer.linger.ms=5");
        assertThat(Typed.hidden("--short")).isEqualTo("--short");
    }
}
