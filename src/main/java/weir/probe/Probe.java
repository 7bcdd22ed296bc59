package weir.probe;

/** Something that can be looked at again and again, at a cost too small to change what is measured. */
public interface Probe extends AutoCloseable {
    void look(Readings into);

    /** A much cheaper look, ten times a second, for what would blur within a second. */
    default void glance() {}

    @Override
    default void close() {}
}
