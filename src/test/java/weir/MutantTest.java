package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The catalogue of faults that {@code make mutants} plants. */
class MutantTest {
    @Test
    void everyFaultFitsTheCodeAndNamesItsTests() throws IOException {
        List<String> stale = new ArrayList<>();
        for (Mutant mutant : Mutant.all(Path.of("src/test/mutants"))) {
            try {
                mutant.planted(Files.readString(mutant.source(Path.of("src/main/java"))));
                mutant.classes(Path.of("target/test-classes"));
            } catch (Mutant.Stale why) {
                stale.add(mutant.area() + ", " + mutant.title() + ": " + why.getMessage());
            }
        }
        assertThat(stale).isEmpty();
    }
}
