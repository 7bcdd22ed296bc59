package weir.run.disturbance;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.plan.syntax.ShellWord;
import weir.run.lab.Lab;

/** A command of the user's, whose log stays with the trial. */
final class CommandDisturbance implements Disturbance {
    private final String host;
    private final String name;
    private final List<String> command;
    private final Lab lab;
    private final Cluster cluster;
    private final Path folder;
    private final Path log;
    private Lab.@Nullable Going running;

    /**
     * @param host on which it runs; empty for this machine
     * @param folder in which it runs here
     */
    CommandDisturbance(
            String host, String name, List<String> command, Lab lab, Cluster cluster, Path folder, Path log) {
        this.host = host;
        this.name = name;
        this.command = List.copyOf(command);
        this.lab = lab;
        this.cluster = cluster;
        this.folder = folder;
        this.log = log;
    }

    @Override
    public String announced() {
        return "runs " + command.stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }

    @Override
    public void begin() {
        running = lab.command(host, name, command, folder, cluster.bootstrap(), log);
    }

    @Override
    public void end() {
        Objects.requireNonNull(running).close();
    }
}
