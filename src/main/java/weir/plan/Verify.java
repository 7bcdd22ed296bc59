package weir.plan;

/**
 * The treatment of records that no reader read while the load was carried, and how closely the records that the load
 * reads are looked at.
 */
public enum Verify {
    /** They are read back. */
    TRUE,
    /** They are left alone. */
    FALSE,
    /** As false; and what is read is counted by the headers of batches, without looking at any record. */
    HEADERS
}
