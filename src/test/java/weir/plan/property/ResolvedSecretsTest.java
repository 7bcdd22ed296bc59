package weir.plan.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResolvedSecretsTest {
    private static ResolvedSecrets of(String name, String value, Map<String, String> environment) {
        return SecretReferences.in(new TreeMap<>(Map.of(name, value)), environment);
    }

    private static Property property(String name, String value) {
        return new Property("producer", name, value, value, "", Property.Source.YOURS, "");
    }

    @Test
    void aPropertyFromAReferenceIsHiddenWhateverItsNameAndHoweverShort() {
        ResolvedSecrets secrets = of("my.credential", "prefix ${env:S}", Map.of("S", "a"));
        Property shown = secrets.shown(property("my.credential", "prefix a"));
        assertThat(shown.requested()).isEqualTo(Property.HIDDEN);
        assertThat(shown.effective()).isEqualTo(Property.HIDDEN);
        assertThat(secrets.shown(property("linger.ms", "a"))).isEqualTo(property("linger.ms", "a"));
    }

    @Test
    void anotherPropertyThatRepeatsASecretHidesThatPart() {
        ResolvedSecrets secrets = of("my.credential", "${env:S}", Map.of("S", "Open-Sesame"));
        assertThat(secrets.shown(property("derived", "x=Open-Sesame;")).effective())
                .isEqualTo("x=***;");
    }

    @Test
    void textsOfOthersHideTheSecretThePartAndTheWhole(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "Open-Sesame\n");
        ResolvedSecrets secrets = of("my.credential", "prefix ${file:" + file + "}", Map.of());
        assertThat(secrets.text("no such user Open-Sesame, as [prefix Open-Sesame] says"))
                .isEqualTo("no such user ***, as [***] says");
    }

    @Test
    void aShortSecretIsHiddenOnlyAsTheValueOfItsProperty() {
        ResolvedSecrets secrets = of("my.setting", "${env:S}", Map.of("S", "a"));
        assertThat(secrets.text("a broker said my.setting=a, {\"my.setting\": \"a\"}, my.setting.id=a;"
                        + " Invalid value a for configuration my.setting (a bad one)"))
                .isEqualTo("a broker said my.setting=***, {\"my.setting\": ***}, my.setting.id=a;"
                        + " Invalid value *** for configuration my.setting (a bad one)");
        assertThat(secrets.remark())
                .hasValueSatisfying(remark -> assertThat(remark).contains("fewer than 4"));
        assertThat(of("my.setting", "${env:S}", Map.of("S", "long enough")).remark())
                .isEmpty();
    }

    @Test
    void eachLineAndEachNamedSecretOfALongerOneIsHiddenAlone() {
        ResolvedSecrets key = of("ssl.key", "${env:S}", Map.of("S", "BEGIN\nMIIEvQIBADAN\nEND"));
        assertThat(key.text("bad base64: MIIEvQIBADAN")).isEqualTo("bad base64: ***");
        ResolvedSecrets login =
                of("login", "${env:S}", Map.of("S", "Module required username=\"bobby\" password=\"hunter2\";"));
        assertThat(login.text("bobby may not log in with hunter2")).isEqualTo("bobby may not log in with ***");
    }

    @Test
    void namesOfMetricsHideAClientsId() {
        ResolvedSecrets secrets = of("client.id", "${env:S}", Map.of("S", "Open-Sesame"));
        assertThat(secrets.shown(new TreeMap<>(Map.of("batch-size:{client-id=Open-Sesame}", 1))))
                .containsOnlyKeys("batch-size:{client-id=***}");
    }

    @Test
    void itsOwnTextTellsNothing() {
        assertThat(of("my.credential", "${env:S}", Map.of("S", "Open-Sesame")).toString())
                .doesNotContain("Open-Sesame");
    }
}
