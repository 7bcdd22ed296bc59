package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.RunFolder;

class HtmlReportTest {
    @Test
    void reportIsOneFileBelowItsLimit(@TempDir Path dir) throws Exception {
        RunFolder folder = SyntheticRun.loadCurve(dir).write();
        Path report = HtmlReport.write(folder);
        assertThat(Files.size(report)).isLessThan(2_000_000);
    }
}
