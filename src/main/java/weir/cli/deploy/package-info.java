/**
 * Documents by which others start what a run needs: Kubernetes and Marathon. Read
 * {@link weir.cli.deploy.DeployCommand} first. Prints, and starts nothing.
 */
@NullMarked
package weir.cli.deploy;

import org.jspecify.annotations.NullMarked;
