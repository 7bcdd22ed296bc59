package weir.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import weir.cli.perf.PerfPlan;
import weir.cluster.ClientJars;
import weir.plan.property.Bootstrap;

/** The options that say which cluster is meant and how to connect, spelled as Kafka's own tools spell them. */
public final class ConnectionOptions {
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

    @Option(
            names = "--classpath",
            paramLabel = "JAR:...",
            description = "Jars and folders that the clients need beside ours, such as those of a login handler.")
    private String classPath = "";

    /** The same properties for a cluster at another address. */
    public ConnectionOptions at(String address) {
        return with(address, commandConfig);
    }

    /** The same with the properties of a file, which name the cluster too. */
    public ConnectionOptions with(Path file) {
        return with("", file.toString());
    }

    private ConnectionOptions with(String address, String file) {
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

    /** The same, or what the properties say in its place; empty if nothing does. */
    public String cluster() {
        return bootstrap.isEmpty() && !commandConfig.isEmpty() ? Bootstrap.of(commandConfig) : bootstrap;
    }

    public String commandConfig() {
        return commandConfig;
    }

    public boolean anyProperty() {
        return !client.isEmpty();
    }

    /** The values that these options lay over an experiment by its paths. */
    List<String> set() {
        return classPath.isEmpty()
                ? List.of()
                : List.of("cluster.classpath=" + PerfPlan.quoted(ClientJars.read(classPath)));
    }

    List<String> client() {
        return client;
    }
}
