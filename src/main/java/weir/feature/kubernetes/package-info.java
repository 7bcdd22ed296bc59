/** Runs in Kubernetes pods: started from outside, conducted by a pod. */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
