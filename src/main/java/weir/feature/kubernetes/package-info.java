/**
 * Runs in Kubernetes pods: a user starts them outside of the cluster, and a pod conducts them. Read {@link
 * weir.feature.kubernetes.InPods} first. The pods are hosts with agents; this package takes no part in a trial.
 */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
