package weir.worker;

import weir.host.Child;

/** A worker and its process. */
public record StartedWorker(LinkedWorker worker, Child child) {}
