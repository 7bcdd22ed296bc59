package weir.cluster;

/** A receiver of short lines about steps that take a while. */
@FunctionalInterface
public interface Progress {
    void report(String what);
}
