package weir.cluster.start;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import weir.cluster.broker.BrokerMain;
import weir.cluster.release.KafkaVersion;

/** The files that the nodes of a cluster started here are given, in a folder that only its owner may read. */
record NodeFiles(Path folder) {
    private static final String BROKER_MAIN = "kafka.Kafka";
    private static final String ZOOKEEPER_MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    /** Writes what a node reads when it starts, and what its disk is formatted with. */
    void write(Node node, NodeLayout layout) throws IOException {
        Properties properties = new Properties();
        properties.putAll(layout.properties(node));
        Path file = properties(node);
        try (OutputStream out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        Files.write(format(node), layout.format(file));
    }

    /** How nodes of this release are told to log. */
    Path logging(KafkaVersion version) throws IOException {
        String name = version.major() < 4 ? "log4j.properties" : "log4j2.properties";
        Path file = folder.resolve(name);
        try (InputStream in = NodeFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from Weir's own jar");
            }
            Files.copy(in, file);
        }
        return file;
    }

    /** Where the JVMs of the nodes put their temporary files. */
    Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve("temporary"));
    }

    /** The arguments of {@link BrokerMain}; {@code tied}: it ends with its standard input. */
    List<String> arguments(Node node, boolean tied, boolean format) {
        List<String> arguments = new ArrayList<>();
        if (tied) {
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
