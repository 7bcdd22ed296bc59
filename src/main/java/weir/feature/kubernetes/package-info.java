/**
 * Runs in Kubernetes pods. A user starts a run outside of the cluster; a pod conducts the run. Read {@link
 * weir.feature.kubernetes.InPods} first. The other pods run agents. The package itself runs no trial.
 */
@NullMarked
package weir.feature.kubernetes;

import org.jspecify.annotations.NullMarked;
