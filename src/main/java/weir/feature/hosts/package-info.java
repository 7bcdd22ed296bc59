/** Hosts other than this machine, each with an agent that a run conducts. */
@NullMarked
package weir.feature.hosts;

import org.jspecify.annotations.NullMarked;
