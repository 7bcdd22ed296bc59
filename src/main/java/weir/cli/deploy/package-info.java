/**
 * Documents with which Kubernetes and Marathon start the processes of a run. Read
 * {@link weir.cli.deploy.DeployCommand} first. It starts nothing.
 */
@NullMarked
package weir.cli.deploy;

import org.jspecify.annotations.NullMarked;
