package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Golden;
import weir.results.RunFolder;

class HostSectionTest {
    @TempDir
    Path dir;

    private SyntheticRun run() {
        return new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 6);
    }

    @Test
    void aRowAHost() {
        RunFolder folder = run().placed("rack-7", "10.0.0.12").write();
        Golden.assertSame(
                "src/test/resources/weir/report/hosts.out",
                TextReport.of(folder).replace(dir.toString(), "runs"));
        assertThat(HtmlReport.of(folder))
                .contains("Hosts in each trial", ">rack-7<", ">10.0.0.12<", "± 1.09 ms", ">21.0.5<");
    }

    @Test
    void oneMachineIsNotListed() {
        RunFolder folder = run().write();
        assertThat(HtmlReport.of(folder)).doesNotContain("Hosts in each trial");
        assertThat(TextReport.of(folder)).doesNotContain("clock error");
    }

    @Test
    void theNameOfAHostIsOnlyText() {
        RunFolder folder = run().placed("<script>x</script>", "\u001B[2Jb").write();
        assertThat(HtmlReport.of(folder))
                .doesNotContain("<script>x", "\u001B")
                .contains("&lt;script&gt;x&lt;/script&gt;");
        assertThat(TextReport.of(folder)).doesNotContain("\u001B").contains("\\u001B[2Jb");
    }
}
