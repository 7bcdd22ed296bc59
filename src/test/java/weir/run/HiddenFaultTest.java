package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.cluster.ClusterUnavailable;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.ResolvedSecrets;

class HiddenFaultTest {
    private static final ResolvedSecrets SECRETS = new ResolvedSecrets(List.of("my.id"), List.of("Open-Sesame"));

    @Test
    void redactedExceptionHidesSecretsInMessageTraceAndCause() {
        RuntimeException fault =
                new IllegalStateException("making a client", new IllegalArgumentException("Open-Sesame!"));
        fault.addSuppressed(new IllegalStateException("closing Open-Sesame"));
        StringWriter trace = new StringWriter();
        RedactedException.of(fault, SECRETS).printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString())
                .doesNotContain("Open-Sesame")
                .contains("IllegalStateException: making a client", "IllegalArgumentException: ***!", "closing ***")
                .contains("HiddenFaultTest.java");
    }

    @Test
    void redactedExceptionKeepsTheTypeForTheExitCode() {
        assertThat(RedactedException.of(new ClusterUnavailable("Open-Sesame is no port"), SECRETS))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessage("*** is no port");
        assertThat(RedactedException.of(new PreflightException("Open-Sesame"), SECRETS))
                .isInstanceOf(PreflightException.class)
                .hasMessage("***");
        Problems wrong = new Problems(List.of(Problem.of("", "ssl.key.password: there is no 'Open-Sesame'")));
        assertThat(RedactedException.of(wrong, SECRETS))
                .isInstanceOf(Problems.class)
                .hasMessage("ssl.key.password: there is no '***'");
        RuntimeException harmless = new IllegalStateException("nothing");
        assertThat(RedactedException.of(harmless, SECRETS)).isSameAs(harmless);
    }
}
