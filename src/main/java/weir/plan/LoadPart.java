package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** A section of the load that a feature adds. Its key is the name of the record without "Spec". */
public interface LoadPart {
    default SortedMap<String, String> secrets() {
        return Collections.emptySortedMap();
    }

    default List<Path> files() {
        return List.of();
    }

    /** The HOST:PORT of a worker's server; empty without a server or for any free port. */
    default String listen() {
        return "";
    }

    default LoadPart sending() {
        return this;
    }

    /** The reason why the sender of this part has no null target; empty if it has a null target. */
    default String withoutNullTarget() {
        return "";
    }
}
