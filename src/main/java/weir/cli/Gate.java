package weir.cli;

import java.util.concurrent.Callable;

/** A command whose exit code judges what it shows; its help lists the codes. */
public interface Gate extends Callable<Integer> {}
