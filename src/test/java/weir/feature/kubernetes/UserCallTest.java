package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UserCallTest {
    private static final Pattern ROLE = Pattern.compile("(?s)```yaml\n(apiVersion: rbac\\S+\nkind: Role.*?)```");

    private static List<PolicyRule> documented() throws IOException {
        Matcher role = ROLE.matcher(Files.readString(Path.of("docs/kubernetes.md")));
        assertThat(role.find()).isTrue();
        return Serialization.unmarshal("---\n" + role.group(1), Role.class).getRules();
    }

    @Test
    void theRoleOfTheDocumentationAllowsAllThatAUserIsAskedFor() throws IOException {
        List<PolicyRule> rules = documented();
        List<UserCall> calls = Stream.concat(UserCall.ofRuns().stream(), UserCall.ofFinding().stream())
                .toList();
        assertThat(calls).allSatisfy(call -> {
            String resource = call.resource() + (call.subresource().isEmpty() ? "" : "/" + call.subresource());
            assertThat(rules)
                    .as(call.text())
                    .anyMatch(rule -> rule.getApiGroups().contains(call.group())
                            && rule.getResources().contains(resource)
                            && rule.getVerbs().contains(call.verb())
                            && rule.getResourceNames().isEmpty());
        });
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.getVerbs()).doesNotContain("*");
            assertThat(rule.getResources()).doesNotContain("*");
        });
    }
}
