package weir.worker;

import weir.probe.WatchedProcess;

/**
 * A process of a bridge to be watched.
 *
 * @param name by which its readings are called: gateway-1, haproxy
 * @param host on which it runs, by its name in the experiment; empty for this machine
 */
public record BridgeProcess(String name, String host, WatchedProcess watched) {}
