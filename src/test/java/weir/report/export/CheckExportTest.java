package weir.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.results.RunResult;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;

class CheckExportTest {
    private static RunResult result(int exit, List<Caveat> caveats, ExpectResult... expect) {
        return RecordKeys.with(
                RunResult.NONE,
                Map.of(
                        "name",
                        "night<ly>",
                        "run",
                        "runs/x",
                        "valid",
                        caveats.isEmpty(),
                        "exit",
                        exit,
                        "caveats",
                        caveats,
                        "expect",
                        List.of(expect),
                        "conclusion.answer",
                        "Sustains 5/s,\n::error::not a command; 100% sure.",
                        "conclusion.losses",
                        List.of("3 lost.")));
    }

    private static final ExpectResult PASSED = new ExpectResult("lost == 0", "passed", 0.0, null, null, "0", "");
    private static final ExpectResult FAILED =
            new ExpectResult("response p99 < 50ms & \"more\"", "failed", 60.0, null, null, "60.0 ms", "");
    private static final ExpectResult UNDECIDED =
            new ExpectResult("response p99 of a / b < 1", "undecided", 1.0, 0.9, 1.1, "1.00×", "both\nsides\u0001");

    private static Element parsed(RunResult result) throws Exception {
        byte[] xml = CheckExport.of(result).junit().getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml))
                .getDocumentElement();
    }

    @Test
    void junitCountsWhatFailedAndWhatCouldNotBeJudged() throws Exception {
        Caveat late = new Caveat("generator-late", CaveatType.Level.INVALID, "at 5/s <late>", "", "", 1);
        Element suites = parsed(result(4, List.of(late), PASSED, FAILED, UNDECIDED));
        assertThat(suites.getTagName()).isEqualTo("testsuites");
        assertThat(suites.getAttribute("tests")).isEqualTo("4");
        assertThat(suites.getAttribute("failures")).isEqualTo("2");
        assertThat(suites.getAttribute("errors")).isEqualTo("1");
        Element failure = (Element) suites.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("failed: 60.0 ms");
        assertThat(((Element) failure.getParentNode()).getAttribute("name"))
                .isEqualTo("response p99 < 50ms & \"more\"");
        Element error = (Element) suites.getElementsByTagName("error").item(0);
        assertThat(error.getTextContent()).isEqualTo("generator-late: at 5/s <late>");
    }

    @Test
    void junitKnowsBrokenPromisesAndRunsThatDidNotEnd() throws Exception {
        assertThat(parsed(result(5, List.of(), PASSED)).getAttribute("failures"))
                .isEqualTo("1");
        assertThat(parsed(result(1, List.of(), PASSED)).getAttribute("errors")).isEqualTo("1");
        assertThat(parsed(result(0, List.of(), PASSED)).getAttribute("failures"))
                .isEqualTo("0");
    }

    @Test
    void githubGetsALineForEachFailureAndOneForTheAnswer() {
        assertThat(CheckExport.of(result(99, List.of(), PASSED, FAILED, UNDECIDED))
                        .github())
                .containsExactly(
                        "::error title=weir night<ly>::response p99 < 50ms & \"more\" – failed: 60.0 ms",
                        "::error title=weir night<ly>::response p99 of a / b < 1 – undecided: 1.00×; both%0Asides\u0001",
                        "::notice title=weir night<ly>::Sustains 5/s,%0A::error::not a command; 100%25 sure.");
    }
}
