package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignalHandlerTest {
    @Test
    void ctrlCHidesEverythingButAFaultOfOurs() {
        assertThat(SignalHandler.exit(130, 1)).isEqualTo(1);
        assertThat(SignalHandler.exit(130, 99)).isEqualTo(130);
        assertThat(SignalHandler.exit(143, 0)).isEqualTo(143);
    }

    @Test
    void withoutASignalTheRunDecides() {
        assertThat(SignalHandler.exit(0, 99)).isEqualTo(99);
        assertThat(SignalHandler.exit(0, 0)).isZero();
    }
}
