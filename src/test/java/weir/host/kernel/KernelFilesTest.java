package weir.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class KernelFilesTest {
    /** The kernel answers a read of a setting once: a second read, behind the first byte, finds the end. */
    @Test
    void aSettingOfTheKernelIsReadWhole() throws IOException {
        assertThat(KernelFiles.LIVE.text("/proc/sys/vm/max_map_count")).matches("\\d{4,}\n");
    }
}
