package weir.cli;

import java.util.concurrent.Callable;

/** A command whose exit code depends on the result. The help of the command lists the exit codes. */
public interface Gate extends Callable<Integer> {}
