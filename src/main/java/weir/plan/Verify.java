package weir.plan;

/** What becomes of the records that no reader read while the load was carried, and how much of those it reads is looked at. */
public enum Verify {
    /** They are read back. */
    TRUE,
    /** They are left alone. */
    FALSE,
    /** As false; and what is read is counted by the headers of batches, without looking at any record. */
    HEADERS
}
