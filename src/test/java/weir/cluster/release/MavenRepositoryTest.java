package weir.cluster.release;

import static org.assertj.core.api.Assertions.assertThat;

import eu.maveniverse.maven.mima.context.ContextOverrides;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MavenRepositoryTest {
    private static final String OPTIONS = "-Xmx1g -Dmaven.repo.local=/jvm";

    private static ContextOverrides overrides(String local, Map<String, String> environment) {
        return MavenRepository.overrides(local, environment).build();
    }

    @Test
    void jarsGoToTheRepositoryOfTheEnvironment() {
        assertThat(overrides("", Map.of("MAVEN_OPTS", OPTIONS)).getLocalRepositoryOverride())
                .isEqualTo(Path.of("/jvm"));
        Map<String, String> both =
                Map.of("MAVEN_OPTS", OPTIONS, "MAVEN_ARGS", " -B -s /a/settings.xml -Dmaven.repo.local=/line");
        assertThat(overrides("", both).getLocalRepositoryOverride()).isEqualTo(Path.of("/line"));
        assertThat(overrides("", both).getUserSettingsXmlOverride()).isEqualTo(Path.of("/a/settings.xml"));
        assertThat(overrides("/given", both).getLocalRepositoryOverride()).isEqualTo(Path.of("/given"));
    }

    @Test
    void settingsOfTheUserDecideWhereTheEnvironmentNamesNoRepository() {
        ContextOverrides none = overrides("", Map.of("MAVEN_ARGS", "-ntp"));
        assertThat(none.getLocalRepositoryOverride()).isNull();
        assertThat(none.isWithUserSettings()).isTrue();
    }
}
