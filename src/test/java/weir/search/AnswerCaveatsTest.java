package weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

class AnswerCaveatsTest {
    @Test
    void caveatOfASingleTrialNamesIt() {
        AnswerCaveats all = new AnswerCaveats("capacity of a");
        all.add(Caveat.of(CaveatType.named("page-cache-absorbed-the-writes"), 7, "the load wrote 1,845 MiB"));
        all.add(Caveat.of(CaveatType.named("page-cache-absorbed-the-writes"), 8, "the load wrote 9 MiB"));
        all.add(Caveat.of(CaveatType.named("few-repeats"), null, "too few"));
        assertThat(all.list())
                .extracting(Caveat::evidence)
                .containsExactly("trial 7 of the search: the load wrote 1,845 MiB", "too few");
    }
}
