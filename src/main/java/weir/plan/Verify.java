package weir.plan;

/**
 * The handling of records that no reader read during the load, and the depth of the check on records that readers
 * read.
 */
public enum Verify {
    /** Weir reads the unread records back. */
    TRUE,
    FALSE,
    /** Like {@code FALSE}; readers also count records by batch headers without looking at any record. */
    HEADERS
}
