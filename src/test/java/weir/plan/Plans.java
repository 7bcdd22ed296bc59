package weir.plan;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** Plans that tests write in place. */
public final class Plans {
    private Plans() {}

    public static Experiment read(String yaml) {
        return read(yaml, Overrides.NONE);
    }

    public static Experiment read(String yaml, Overrides overrides) {
        return PlanReader.read(Path.of("x.yaml"), yaml, overrides);
    }

    public static Variant only(String yaml) {
        return read(yaml).variants().get(0);
    }

    public static Overrides set(String... set) {
        return new Overrides(List.of(set), List.of(), "", "", List.of(), false);
    }

    /** Returns the problems of a plan; empty if there are none. */
    public static String problems(String yaml) {
        return problems(yaml, Overrides.NONE);
    }

    public static String problems(String yaml, Overrides overrides) {
        Problems problems = catchThrowableOfType(Problems.class, () -> read(yaml, overrides));
        return problems == null ? "" : problems.text();
    }
}
