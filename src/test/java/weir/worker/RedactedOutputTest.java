package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.property.ResolvedSecrets;

class RedactedOutputTest {
    @Test
    void aLogTellsNoSecretAlsoWhenItComesInPieces() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        RedactedOutput output = new RedactedOutput(written);
        output.hide(new ResolvedSecrets(List.of("my.credential"), List.of("Open-Sesame")));
        PrintStream log = output.printing();
        log.print("grüße, Open-");
        log.println("Sesame");
        log.println("next");
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("grüße, ***\nnext\n");
    }
}
