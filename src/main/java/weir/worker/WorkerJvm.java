package weir.worker;

import java.util.List;
import weir.plan.ByteSize;
import weir.plan.LoadSpec;

/** The JVM of a local worker, whole: nothing is left to its defaults. */
@SuppressWarnings("DoNotCallSuggester")
public record WorkerJvm(ByteSize heap, List<String> flags, List<String> classPath) {
    public WorkerJvm {
        flags = List.copyOf(flags);
        classPath = List.copyOf(classPath);
    }

    /** One with room for the buffers of this load. {@code classPath} comes behind our own. */
    public static WorkerJvm of(LoadSpec load, List<String> classPath) {
        throw new UnsupportedOperationException();
    }
}
