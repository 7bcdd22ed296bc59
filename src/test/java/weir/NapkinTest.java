package weir;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NapkinTest {
    @Test
    void todo() {
        assertThat(NapkinTest.class.getName()).startsWith("weir");
    }
}
