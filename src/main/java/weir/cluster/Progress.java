package weir.cluster;

/** Hears what is being done when it takes a while, a short line each time. */
@FunctionalInterface
public interface Progress {
    void doing(String what);
}
