package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;

class ExperimentBoundsTest {
    private static String each(int many, java.util.function.IntFunction<String> line) {
        return IntStream.rangeClosed(1, many).mapToObj(line).collect(Collectors.joining());
    }

    @Test
    void aLongChainOfLikeIsRefusedWhereItGetsTooLong() {
        String chain = "variants:\n  v0: {}\n" + each(500, i -> "  v" + i + ": { like: v" + (i - 1) + " }\n");
        assertThat(Plans.problems(chain))
                .startsWith("x.yaml:103:17: variants.v101.like: more than 100 variants start from each other");
        assertThat(Plans.problems(
                        "variants:\n  v0: {}\n" + each(99, i -> "  v" + i + ": { like: v" + (i - 1) + " }\n")))
                .isEmpty();
    }

    @Test
    void aChainMayBeWrittenInAnyOrder() {
        String chain = "variants:\n" + each(3_000, i -> "  v" + i + ": { like: v" + (i + 1) + " }\n") + "  v3001: {}\n";
        assertThat(Plans.problems(chain)).startsWith("x.yaml:1002:3: variants.v1001: is beyond the 1000 variants");
        String shorter = "variants:\n" + each(900, i -> "  v" + i + ": { like: v" + (i + 1) + " }\n") + "  v901: {}\n";
        assertThat(Plans.problems(shorter)).startsWith("x.yaml:102:17: variants.v101.like: more than 100 variants");
    }

    @Test
    void firstHundredProblemsOfDisturbancesAreThoseOfTheFirstNames() {
        String many = "during:\n" + each(150, i -> "  d" + (100 + i) + ": { at: 1s, kill: broker 1 }\n");
        assertThat(Plans.problems(many))
                .contains("during.d101.kill: ", "during.d200.kill: ")
                .doesNotContain("during.d202.");
        assertThat(Plans.problems(many).split("during\\.d")).hasSize(101);
    }

    @Test
    void tenThousandVariantsOrValuesAreTooMany() {
        assertThat(Plans.problems("variants:\n" + each(20_000, i -> "  v" + i + ": {}\n")))
                .startsWith("x.yaml:1002:3: variants.v1001: is beyond the 1000 variants")
                .hasLineCount(3);
        String settings = each(900, i -> "s" + i + ": 1, ");
        String topics = "topics:\n" + each(10, i -> "  t" + i + ": { config: { " + settings + "} }\n");
        assertThat(Plans.problems(topics + "variants:\n" + each(13, i -> "  v" + i + ": {}\n")))
                .contains("these are more than 100000 values, the most of an experiment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0007", "\u001b[31m", "\ufffe"})
    void aCharacterThatCannotBeSeenIsSaidWithItsPlace(String character) {
        String refused = Plans.problems("name: x\r\nseed: 1\nquestion: \"a" + character + "\"");
        assertThat(refused)
                .startsWith("x.yaml:3:13: this is not YAML: the character U+")
                .doesNotContain(character);
    }

    @Test
    void whatAFileSaysCannotSteerTheTerminal() {
        assertThat(Plans.problems("name: \"\\e[31mred\""))
                .contains("\\u001b[31mred")
                .doesNotContain("\u001b");
    }

    @Test
    void aHundredProblemsAreEnough() {
        assertThat(Plans.problems("load:\n" + each(500, i -> "  k" + i + ": 1\n"))
                        .lines())
                .filteredOn(line -> line.startsWith("x.yaml"))
                .hasSize(101)
                .last()
                .asString()
                .endsWith("and more from here on; these are the first 100");
    }
}
