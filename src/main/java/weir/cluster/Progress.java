package weir.cluster;

/** A receiver of short lines about steps that take long. */
@FunctionalInterface
public interface Progress {
    void report(String what);
}
