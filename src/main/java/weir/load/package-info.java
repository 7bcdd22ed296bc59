/**
 * Operations on Kafka, whatever engine carries them. Read {@code Load} first.
 * Never knows which engine it runs on; engines live in the packages below.
 */
@NullMarked
package weir.load;

import org.jspecify.annotations.NullMarked;
