/**
 * Runs in Kubernetes pods. A user starts them outside of the cluster; their conductor is a pod. Read {@link
 * weir.feature.kubernetes.InPods} first. The other pods are hosts with agents. No class of this package takes part in a
 * trial.
 */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
