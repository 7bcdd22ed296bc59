package weir.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class KernelFilesTest {
    /** The kernel answers only one read of a setting. A second read after the first byte finds the end. */
    @Test
    void aSettingOfTheKernelIsReadWhole() throws IOException {
        assertThat(KernelFiles.LIVE.text("/proc/sys/vm/max_map_count")).matches("\\d{4,}\n");
    }
}
