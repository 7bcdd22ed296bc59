package weir.cluster;

/** A receiver of progress messages about slow work. */
@FunctionalInterface
public interface Progress {
    void report(String what);
}
