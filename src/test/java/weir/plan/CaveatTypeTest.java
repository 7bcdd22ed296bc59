package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.explain.KeyExplanation;
import weir.plan.read.Overrides;
import weir.plan.syntax.CaveatType;

class CaveatTypeTest {
    private static final String DOCUMENT = "docs/explanation/measuring.md";
    private static final Pattern TABLE = Pattern.compile("(?s)<!-- caveats -->\n.*?<!-- end -->");

    @Test
    @NeedsFeature
    void everyCaveatIsInTheDocument() throws IOException {
        String rows = CaveatType.ALL.stream()
                .map(type -> "| `" + type.word() + "` | "
                        + type.level().name().toLowerCase(Locale.ROOT) + " | " + type.when() + " | " + type.weakens()
                        + " | " + type.advice() + " |\n")
                .collect(Collectors.joining());
        String table =
                "<!-- caveats -->\n\n| caveat | level | raised when | weakens | what to do |\n|---|---|---|---|---|\n"
                        + rows + "\n<!-- end -->";
        String text = Files.readString(Path.of(DOCUMENT));
        assertThat(TABLE.matcher(text).find()).isTrue();
        Golden.assertSame(DOCUMENT, TABLE.matcher(text).replaceAll(Matcher.quoteReplacement(table)));
    }

    @Test
    void aCaveatIsAcceptedByName() {
        Experiment experiment = Plans.read("load: {}\naccept: { shared-cores: we have one machine }\n", Overrides.NONE);
        assertThat(experiment.accepted()).containsEntry("shared-cores", "we have one machine");
    }

    @Test
    void aMisspeltCaveatIsToldTheNearestAndAllThereAre() {
        Problems problems = catchThrowableOfType(
                Problems.class, () -> Plans.read("load: {}\naccept: { shared-core: one machine }\n", Overrides.NONE));
        assertThat(problems.text())
                .contains("accept.shared-core: 'shared-core' is no caveat; did you mean 'shared-cores'?")
                .contains("allowed: ledger-does-not-balance, clock-stepped");
    }

    @Test
    void anAcceptedLevelIsOneLower() {
        assertThat(CaveatType.Level.INVALID.lowered()).isEqualTo(CaveatType.Level.DOUBT);
        assertThat(CaveatType.Level.DOUBT.lowered()).isEqualTo(CaveatType.Level.NOTE);
        assertThat(CaveatType.Level.NOTE.lowered()).isEqualTo(CaveatType.Level.NOTE);
    }

    @Test
    void aCaveatIsExplainedByName() {
        assertThat(KeyExplanation.of("shared-cores"))
                .contains("caveat shared-cores")
                .contains("doubt")
                .contains("Pin brokers and generator");
    }
}
