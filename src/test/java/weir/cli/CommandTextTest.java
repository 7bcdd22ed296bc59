package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandTextTest {
    @Test
    void secretsOnTheCommandLineAreHidden() {
        assertThat(CommandText.hidden("-Xssl.key.password=hunter2", false)).isEqualTo("-Xssl.key.password=***");
        assertThat(CommandText.hidden("sasl.jaas.config=a b=c", false)).isEqualTo("sasl.jaas.config=***");
        assertThat(CommandText.hidden("cluster.client.ssl.key.password=x", false))
                .isEqualTo("cluster.client.ssl.key.password=***");
        assertThat(CommandText.hidden("--set=load.producer.sasl.jaas.config=x", false))
                .isEqualTo("--set=load.producer.sasl.jaas.config=***");
    }

    @Test
    void whatIsNoSecretIsKept() {
        assertThat(CommandText.hidden("load.producer.linger.ms=5", false)).isEqualTo("load.producer.linger.ms=5");
        assertThat(CommandText.hidden("--short", false)).isEqualTo("--short");
    }

    @Test
    void aMapWithPropertiesOfPluginsIsHidden() {
        assertThat(CommandText.hidden("load.producer={plugin: {my.idp.pw: x}}", false))
                .isEqualTo("load.producer=***");
        assertThat(CommandText.hidden("--set=load={producer: {\"plugin\": {my: {pin: 1234}}}}", false))
                .isEqualTo("--set=load=***");
        for (String word : new String[] {"load.producer={linger.ms: 5}", "cluster.client=plugin/client.properties"}) {
            assertThat(CommandText.hidden(word, false)).isEqualTo(word);
        }
    }

    @Test
    void propertiesThatNoClientKnowsAreHidden() {
        assertThat(CommandText.hidden("basic.auth.user.info=K:S", true)).isEqualTo("basic.auth.user.info=***");
        assertThat(CommandText.hidden("my.own=K:S", true)).isEqualTo("my.own=***");
        assertThat(CommandText.hidden("--set=load.producer.plugin.my.own=K:S", false))
                .isEqualTo("--set=load.producer.plugin.my.own=***");
        assertThat(CommandText.hidden("linger.ms=5", true)).isEqualTo("linger.ms=5");
        assertThat(CommandText.hidden("--runs=/tmp/a=b", false)).isEqualTo("--runs=/tmp/a=b");
        assertThat(CommandText.hidden("http://me:pw@host/", false)).isEqualTo("http://***@host/");
    }
}
