package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.StoredRun;

class CompareCommandTest {
    private static final double[] STEADY = {10, 10.05, 9.95, 10, 10.02};
    private static final double[] SLOWER = {11, 11.05, 10.95, 11, 11.02};

    @TempDir
    private Path folder;

    @BeforeEach
    void twoNights() {
        new StoredRun(folder, "nightly").variant("base", STEADY).at(1).write();
        new StoredRun(folder, "nightly").variant("base", SLOWER).at(2).write();
        new StoredRun(folder, "other")
                .variant("base", STEADY)
                .setting("load.rate", "9/s")
                .write();
    }

    private Shell compare(String... arguments) {
        List<String> all = new ArrayList<>(List.of("compare", "--runs", folder.toString()));
        all.addAll(List.of(arguments));
        return Shell.weir(all.toArray(String[]::new));
    }

    @Test
    void newestRunIsComparedWithThePreviousOne() {
        Shell shell = compare("nightly~1", "nightly");
        assertThat(shell.exit()).isZero();
        assertThat(shell.out())
                .startsWith("B / A, response p99: 1.10× [1.09×, 1.11×], worse.")
                .contains("not interleaved", "response p50", "●");
        assertThat(shell.err()).isEmpty();
    }

    @Test
    void aGateEndsWithTheExitCodeOfWhatItFound() {
        assertThat(compare("nightly~1", "nightly", "--tolerance", "5%").exit()).isEqualTo(98);
        assertThat(compare("nightly~1", "nightly", "--tolerance", "20%").exit()).isZero();
        assertThat(compare("nightly~1", "nightly", "--tolerance", "0.1%").exit())
                .isEqualTo(4);
        assertThat(compare("nightly", "nightly~1", "--tolerance", "5%").exit()).isZero();
    }

    @Test
    void runsWithDifferentKeysAreRefusedAndShownApartAnyway() throws Exception {
        compare("nightly", "other")
                .refused("load.rate is '100/s' in one and '9/s' in the other")
                .containsPattern("-nightly and .*-other cannot be compared: load differs")
                .contains("--anyway");
        Path html = folder.resolve("x.html");
        Shell apart = compare("nightly", "other", "--anyway", "--out", "html=" + html);
        assertThat(apart.exit()).isZero();
        assertThat(apart.out())
                .startsWith("The runs have no ratio, because their comparison keys differ.")
                .contains("B and A have no ratio: load differs (load.rate is '100/s' in A and '9/s' in B).")
                .containsPattern("response p99 +11.0 ms +10.0 ms")
                .doesNotContain("verdict", "×");
        assertThat(Files.readString(html))
                .contains("t-apart-B", "load differs (load.rate is")
                .doesNotContain("t-ratios");
        assertThat(compare("nightly", "other", "--anyway", "--tolerance", "50%").exit())
                .isEqualTo(4);
    }

    @Test
    void gateIsInconclusiveWithTooFewRepeats() {
        new StoredRun(folder, "nightly").variant("base", 10, 10).at(3).write();
        Shell blind = compare("nightly~1", "nightly", "--tolerance", "5%");
        assertThat(blind.exit()).isEqualTo(4);
        assertThat(blind.out()).contains("inconclusive", "at least 4 repeats");
    }

    @Test
    void incomparableRunsPrintOneLineAndExitWithCode2() {
        for (String[] wrong : new String[][] {
            {"nightly"},
            {"nightly", "nightly"},
            {"nightly", "other"},
            {"nightly", "no-such"},
            {"nightly", "nightly~7"},
            {"nightly", "nightly~1", "--tolerance", "5"},
            {"nightly", "nightly~1", "--tolerance", "0%"},
            {"nightly", "nightly~1", "--out", "pdf=x.pdf"},
            {"nightly", "nightly~1", "--out", "junit"},
            {"nightly", "nightly~1", "--out", "github=x"},
            {"nightly", "nightly~1", "--out", "html=" + folder.resolve("no/such/x.html")}
        }) {
            compare(wrong).refused("").as(String.join(" ", wrong)).doesNotContain("Exception");
        }
    }

    @Test
    void jsonOutputIsOneObject() throws Exception {
        Shell shell = compare("nightly~1", "nightly", "--tolerance", "5%", "--format", "json", "--out", "github");
        JsonNode object = new ObjectMapper().readTree(shell.out());
        assertThat(object.get("exit").asInt()).isEqualTo(98);
        assertThat(object.get("gate").get("outcome").asText()).isEqualTo("regression");
        assertThat(object.get("runs")).hasSize(2);
        JsonNode first = object.get("comparisons").get(0);
        for (String name : List.of("a", "b", "metric", "ratio", "low", "high", "verdict", "visible")) {
            assertThat(first.has(name)).as(name).isTrue();
        }
        assertThat(shell.err()).startsWith("::error title=weir compare::nothing is worse by more than 5 %25");
    }

    @Test
    void itsOtherFormsAreFiles() throws Exception {
        Path junit = folder.resolve("x.xml");
        Path html = folder.resolve("x.html");
        Shell shell = compare(
                "nightly~1", "nightly", "--tolerance", "5%", "--out", "junit=" + junit, "--out", "html=" + html);
        assertThat(shell.exit()).isEqualTo(98);
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "<failure message=");
        assertThat(Files.readString(html)).contains("Content-Security-Policy", "t-ratios", "regression");
    }
}
