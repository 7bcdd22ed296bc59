package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.results.ExpectResult;

class DoubtsTest {
    private static ExpectResult expectation(String text, String verdict) {
        return new ExpectResult(text, verdict, null, null, null, null, null);
    }

    private static String shown(int held, String... others) {
        List<ExpectResult> all = new ArrayList<>();
        for (int i = 0; i < held; i++) {
            all.add(expectation("lost == " + i, ExpectResult.HELD));
        }
        for (String verdict : others) {
            all.add(expectation("the " + verdict + " one", verdict));
        }
        return Doubts.expectations(all).toString();
    }

    @Test
    void whatDidNotHoldComesFirstAndIsNeverFolded() {
        String html = shown(36, ExpectResult.FAILED, ExpectResult.UNDECIDED);
        assertThat(html).contains("36 of 38 expectations held").contains("lost == 35");
        String open = html.substring(0, html.indexOf("<details"));
        assertThat(open).contains("the failed one", "the undecided one").doesNotContain("lost == ");
    }

    @Test
    void aFewAreNotFolded() {
        String html = shown(3, ExpectResult.FAILED);
        assertThat(html).doesNotContain("<details");
        assertThat(html.indexOf("the failed one")).isLessThan(html.indexOf("lost == 0"));
    }

    @Test
    void whenAllOfManyHoldALineSaysSo() {
        assertThat(shown(36)).startsWith("<details").contains("36 of 36 expectations held");
    }
}
