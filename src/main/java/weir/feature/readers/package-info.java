/**
 * Readers that join, leave, end or stand still during a load, and their figures. Read
 * {@link weir.feature.readers.ReadersJudge} first. The workers report each change of a reader's partitions, and change
 * their readers themselves ({@link weir.plan.ReaderChange}).
 */
@NullMarked
package weir.feature.readers;

import org.jspecify.annotations.NullMarked;
