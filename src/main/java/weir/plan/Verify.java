package weir.plan;

/**
 * The check of records after the load. The choice decides whether Weir reads records that no reader read, and how
 * closely it looks at records that readers read.
 */
public enum Verify {
    /** After the load, Weir reads the records that no reader read. */
    TRUE,
    FALSE,
    /**
     * Like {@code FALSE}; in addition, readers count records by the headers of batches and look at no single record.
     */
    HEADERS
}
