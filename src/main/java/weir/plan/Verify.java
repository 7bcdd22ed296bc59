package weir.plan;

/**
 * The check of records after the load. The choice decides whether Weir reads records that no reader read, and how
 * closely it looks at records that readers read.
 */
public enum Verify {
    /** After the load, Weir reads the records that no reader read. */
    TRUE,
    FALSE,
    /** Like {@code FALSE}; readers also count records by batch headers without looking at any record. */
    HEADERS
}
