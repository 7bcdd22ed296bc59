package weir.cli;

import java.util.concurrent.Callable;

/** A command whose exit code judges the result that it shows. Its help lists the codes. */
public interface Gate extends Callable<Integer> {}
