package weir.plan;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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

    /** Returns the files in a folder whose names have this end, in order. */
    public static List<Path> files(String folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    public static Variant only(String yaml) {
        return only(yaml, Overrides.NONE);
    }

    public static Variant only(String yaml, Overrides overrides) {
        return read(yaml, overrides).variants().get(0);
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
