package weir.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.cluster.release.KafkaVersion;
import weir.cluster.start.ClusterCredentials;
import weir.plan.ClusterSpec;
import weir.plan.ClusterSpec.Security;

/** The keys of a cluster on loopback. */
public record LoopbackKeys(Map<String, String> server, Map<String, String> client) {
    public static LoopbackKeys in(Path folder) {
        ClusterCredentials made =
                ClusterCredentials.make(Security.SSL, KafkaVersion.of("4.3.1"), folder, Set.of(ClusterSpec.LOOPBACK));
        return new LoopbackKeys(made.node(List.of("SSL")), made.client());
    }
}
