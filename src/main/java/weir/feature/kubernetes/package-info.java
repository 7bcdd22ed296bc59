/**
 * Runs in Kubernetes pods. A user starts them from outside; a pod conducts them. Read {@link
 * weir.feature.kubernetes.InPods} first. The pods are hosts with agents. This package takes no part in a trial.
 */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
