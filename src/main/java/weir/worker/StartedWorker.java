package weir.worker;

import weir.host.Child;

/** A worker, and the process that it is. */
public record StartedWorker(LinkedWorker worker, Child child) {}
