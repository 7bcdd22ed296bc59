/** Objects of Kubernetes and applications of Marathon that start a run; nothing is started here. */
@NullMarked
package weir.feature.deploy;

import org.jspecify.annotations.NullMarked;
