package weir.cluster.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import weir.cluster.broker.BrokerMain;
import weir.cluster.release.KafkaVersion;
import weir.host.Host;
import weir.io.Io;

/**
 * The files of a cluster's nodes on one machine, in a folder that only its owner may read.
 *
 * @param secrets the folder of the cluster's keys on this machine
 * @param folder the folder on {@code host}; equal to {@code secrets} if the host is this machine
 */
record NodeFiles(Host host, Path secrets, Path folder) {
    private static final String BROKER_MAIN = "kafka.Kafka";
    private static final String ZOOKEEPER_MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    void write(ClusterCredentials credentials, KafkaVersion version) throws IOException {
        String name = String.valueOf(logging(version).getFileName());
        host.write(logging(version), Io.resource("/weir/cluster/start/" + name).getBytes(StandardCharsets.UTF_8));
        host.folder(temporary());
        if (!folder.equals(secrets)) {
            for (Path file : credentials.files()) {
                host.write(folder.resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
    }

    void write(Node node, NodeLayout layout) throws IOException {
        Properties properties = new Properties();
        layout.properties(node).forEach((name, value) -> properties.put(name, pathOnHost(value)));
        Path file = properties(node);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        properties.store(out, null);
        host.write(file, out.toByteArray());
        host.write(format(node), (String.join("\n", layout.format(file)) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private String pathOnHost(String value) {
        return value.startsWith(secrets + "/")
                ? folder + value.substring(secrets.toString().length())
                : value;
    }

    Path logging(KafkaVersion version) {
        return folder.resolve(version.major() < 4 ? "log4j.properties" : "log4j2.properties");
    }

    Path temporary() {
        return folder.resolve("temporary");
    }

    List<String> arguments(Node node, boolean format) {
        List<String> arguments = new ArrayList<>();
        if (host.tied()) {
            arguments.add(BrokerMain.WATCHING);
        }
        arguments.add(node.zooKeeper() ? ZOOKEEPER_MAIN : BROKER_MAIN);
        arguments.add(properties(node).toString());
        if (format) {
            arguments.add(format(node).toString());
        }
        return arguments;
    }

    private Path properties(Node node) {
        return folder.resolve(node.name() + ".properties");
    }

    private Path format(Node node) {
        return folder.resolve(node.name() + ".format");
    }
}
