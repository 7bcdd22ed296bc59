package weir.cluster;

import java.nio.file.Path;

/**
 * One broker of a cluster.
 *
 * @param pid -1 when it runs elsewhere or not at all
 * @param log its log file; empty when it runs elsewhere
 * @param data its folder of partitions; empty when it runs elsewhere
 */
public record Broker(int id, String address, String rack, long pid, Path log, Path data) {}
