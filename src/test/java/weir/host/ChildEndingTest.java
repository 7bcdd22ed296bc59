package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChildEndingTest {
    @Test
    void aSignalIsNamedAndOfTheKernelsOwnWhatItMayMean() {
        assertThat(Child.ending(137)).isEqualTo("was killed (signal 9; out of memory?)");
        assertThat(Child.ending(143)).isEqualTo("was killed (signal 15)");
        assertThat(Child.ending(1)).isEqualTo("ended with exit code 1");
        assertThat(Child.ending(255)).isEqualTo("ended with exit code 255");
    }
}
