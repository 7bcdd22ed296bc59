package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** A section of the load that a feature adds. The key of the section is the name of its record without "Spec". */
public interface LoadPart {
    /** The references to secrets by the keys that hold them. */
    default SortedMap<String, String> secrets() {
        return Collections.emptySortedMap();
    }

    default List<Path> files() {
        return List.of();
    }

    /** HOST:PORT at which a worker listens; empty if it listens nowhere or on any free port. */
    default String listen() {
        return "";
    }

    /** The same part without its settings for receivers. */
    default LoadPart sending() {
        return this;
    }

    /** The reason why the sender of this part has no null target; empty if it has one. */
    default String withoutNullTarget() {
        return "";
    }
}
