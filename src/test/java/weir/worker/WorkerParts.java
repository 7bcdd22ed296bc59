package weir.worker;

import java.util.List;
import java.util.stream.IntStream;

/** The listeners of several workers that are heard as one, for tests elsewhere. */
public final class WorkerParts {
    private WorkerParts() {}

    /** One for each of so many workers. */
    public static List<WorkerListener> of(WorkerListener out, int workers) {
        MergedListener merged = new MergedListener(out, workers);
        return IntStream.range(0, workers).mapToObj(merged::part).toList();
    }
}
