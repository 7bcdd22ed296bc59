/**
 * Printed Kubernetes objects and Marathon applications that start a run. Read {@link weir.feature.deploy.DeployCommand}
 * first. The package starts nothing.
 */
@NullMarked
package weir.feature.deploy;

import org.jspecify.annotations.NullMarked;
