package weir.plan;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;

/** Reads plans that tests write in place. */
public final class Plans {
    private Plans() {}

    static Experiment read(String yaml) {
        return read(yaml, Overrides.NONE);
    }

    static Experiment read(String yaml, Overrides overrides) {
        return PlanReader.read(Path.of("x.yaml"), yaml, overrides);
    }

    public static Variant only(String yaml) {
        return read(yaml).variants().get(0);
    }

    static Overrides set(String... set) {
        return new Overrides(List.of(set), List.of(), "", "", List.of(), false);
    }

    /** What is wrong with a plan, empty if nothing is. */
    static String problems(String yaml) {
        return problems(yaml, Overrides.NONE);
    }

    static String problems(String yaml, Overrides overrides) {
        Problems problems = catchThrowableOfType(Problems.class, () -> read(yaml, overrides));
        return problems == null ? "" : problems.text();
    }
}
