package weir.feature.hosts;

import java.nio.file.Path;

/**
 * A broker that runs on a host.
 *
 * @param source of its readings
 * @param data its folder of partitions
 */
public record HostedBroker(String source, long pid, Path data) {}
