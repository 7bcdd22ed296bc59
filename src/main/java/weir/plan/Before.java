package weir.plan;

/** Something done once before each trial. */
public enum Before {
    DROP_CACHES
}
