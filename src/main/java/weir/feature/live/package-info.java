/** A run as it happens: its page and its metrics. */
@NullMarked
package weir.feature.live;

import org.jspecify.annotations.NullMarked;
