package weir.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** The options that say which cluster is meant and how to connect, spelled as Kafka's own tools spell them. */
final class Connection {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT,...",
            description = "Use this cluster instead of starting one.")
    private String bootstrap = "";

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties for that cluster, as Kafka's own tools take them.")
    private String commandConfig = "";

    @Option(
            names = "-X",
            paramLabel = "NAME=VALUE",
            description = "A client property: -X sasl.mechanism=PLAIN. May be given several times.")
    private List<String> client = List.of();

    /** The same properties for a cluster at another address. */
    Connection at(String address) {
        Connection there = new Connection();
        there.bootstrap = address;
        there.commandConfig = commandConfig;
        there.client = client;
        return there;
    }

    String bootstrap() {
        return bootstrap;
    }

    String commandConfig() {
        return commandConfig;
    }

    List<String> client() {
        return client;
    }
}
