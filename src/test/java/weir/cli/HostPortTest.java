package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {
    private static HostPort read(String text, int first) {
        return HostPort.read(text, first, "10.0.0.1:7070");
    }

    @Test
    void aHostMayBeANameOrAnAddressOfEitherKind() {
        assertThat(read("lab-1:7070", 1)).isEqualTo(new HostPort("lab-1", 7070));
        assertThat(read("[::1]:65535", 1)).isEqualTo(new HostPort("::1", 65_535));
        assertThat(read("127.0.0.1:0", 0)).isEqualTo(new HostPort("127.0.0.1", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "lab-1, has no port", "lab-1:, has no port", "lab-1:x, has no port", ":7070, is no address",
        "7070, is no address", "lab-1:0, is no address", "lab-1:65536, is no address", "lab-1:-1, is no address"
    })
    void anythingElseIsRefusedWithWhatToWrite(String text, String why) {
        assertThatThrownBy(() -> read(text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' " + why + "; write HOST:PORT, such as 10.0.0.1:7070");
    }
}
