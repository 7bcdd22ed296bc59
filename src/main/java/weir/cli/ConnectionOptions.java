package weir.cli;

import java.util.List;
import picocli.CommandLine.Option;
import weir.cluster.ClientJars;
import weir.plan.property.Bootstrap;

/** The options for the connection to a cluster, with the names that Kafka's own tools use. */
public final class ConnectionOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT,...",
            description = "Use this cluster instead of starting one.")
    private String bootstrap = "";

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties file for the clients of --bootstrap-server, in the format of Kafka's own tools.")
    private String commandConfig = "";

    @Option(
            names = "-X",
            paramLabel = "NAME=VALUE",
            description = "Client property, such as -X sasl.mechanism=PLAIN. Repeatable.")
    private List<String> client = List.of();

    @Option(
            names = "--classpath",
            paramLabel = "JAR:...",
            description = "Additional jars and folders for the clients, such as the jar of a login handler.")
    private String classPath = "";

    public ConnectionOptions with(String address, String file) {
        ConnectionOptions with = new ConnectionOptions();
        with.bootstrap = address;
        with.commandConfig = file;
        with.client = client;
        with.classPath = classPath;
        return with;
    }

    public String bootstrap() {
        return bootstrap;
    }

    /** Returns the cluster that the options name, or the cluster of the properties; empty if neither names one. */
    public String cluster() {
        return bootstrap.isEmpty() && !commandConfig.isEmpty() ? Bootstrap.of(commandConfig) : bootstrap;
    }

    public String commandConfig() {
        return commandConfig;
    }

    public boolean anyProperty() {
        return !client.isEmpty();
    }

    List<String> set() {
        return classPath.isEmpty()
                ? List.of()
                : List.of("cluster.classpath=" + FlagPlan.quoted(ClientJars.read(classPath)));
    }

    List<String> client() {
        return client;
    }
}
