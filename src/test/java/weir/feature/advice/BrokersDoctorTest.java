package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;

class BrokersDoctorTest {
    @ParameterizedTest
    @ValueSource(strings = {"--command-config", "--bootstrap-server 127.0.0.1:1 --classpath"})
    void aFileOfTheConnectionThatIsNotThereIsNamed(String option) {
        Shell shell = Shell.weir(("doctor --brokers " + option + " none").split(" +"));
        assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err()).contains("none' is not there, or cannot be read");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --brokers --clean                  | --brokers only looks
            --brokers --runs elsewhere         | --brokers only looks
            --brokers --on kubernetes          | start it on the broker's host
            --brokers --set a=b                | start it on the broker's host
            --brokers experiment.yaml          | start it on the broker's host
            --brokers -X client.id=me          | --bootstrap-server is missing: which cluster?
            --bootstrap-server 127.0.0.1:1     | --bootstrap-server is for --brokers
            """)
    void whatMakesNoSenseTogetherIsOneLineAndNothingIsLookedAt(String arguments, String says) {
        Shell shell = Shell.weir(("doctor " + arguments).split(" +"));
        assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains(says).hasLineCount(1);
    }
}
