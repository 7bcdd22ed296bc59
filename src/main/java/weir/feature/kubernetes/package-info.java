/**
 * Runs in Kubernetes pods: started from outside, conducted by a pod. Read {@link weir.feature.kubernetes.InPods} first.
 * The pods are hosts with agents: nothing here takes part in a trial.
 */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
