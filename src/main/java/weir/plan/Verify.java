package weir.plan;

/** The check of records after the load. */
public enum Verify {
    /** After the load, Weir reads all unread records. */
    TRUE,
    FALSE,
    /** Like {@code FALSE}; readers also count records by batch headers without reading records. */
    HEADERS
}
