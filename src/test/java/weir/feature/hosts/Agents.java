package weir.feature.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import weir.cli.Main;
import weir.cli.WeirVersion;
import weir.host.Children;
import weir.host.Command;
import weir.host.JavaRuntime;
import weir.host.Journal;
import weir.host.LocalChild;

/** Agents as processes of this machine, each with its own state folder. */
final class Agents implements AutoCloseable {
    private final Path folder;
    private final Journal journal;
    private final Children children;
    private final Path certificates;
    private final WorkerHosts.RemoteHosts hosts;

    Agents(Path folder) {
        this.folder = folder;
        this.journal = Journal.open(folder.resolve("state"));
        this.children = Children.open(journal);
        this.certificates = journal.newFolder("certificates");
        this.hosts = new WorkerHosts.RemoteHosts(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                certificates,
                WeirVersion.number(),
                System::nanoTime);
    }

    /** The journal of the conductor's machine. */
    Journal journal() {
        return journal;
    }

    Children children() {
        return children;
    }

    LocalChild start(String name) {
        return start(name, hosts.address(), hosts.token());
    }

    /** Starts another agent in the same place, named NAME-again. */
    LocalChild again(String name) {
        return start(name + "-again", state(name), hosts.address(), hosts.token());
    }

    /** Starts an agent that connects to another address or shows another token. */
    LocalChild start(String name, InetSocketAddress conductor, Path token) {
        return start(name, state(name), conductor, token);
    }

    InetSocketAddress address() {
        return hosts.address();
    }

    Path token() {
        return hosts.token();
    }

    private LocalChild start(String name, Path state, InetSocketAddress conductor, Path token) {
        return children.start(new Command(
                "agent",
                List.of(
                        "/usr/bin/env",
                        "XDG_STATE_HOME=" + state,
                        JavaRuntime.own().launcher().toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "worker",
                        "--connect",
                        "127.0.0.1:" + conductor.getPort(),
                        "--token",
                        token.toString(),
                        "--name",
                        name),
                folder.resolve("agent-" + name + ".log"),
                Command.Output.LOGGED));
    }

    RemoteHost await(String name) {
        return hosts.await(name, Duration.ofSeconds(30));
    }

    private Path state(String name) {
        return folder.resolve("state-of-" + name);
    }

    /** Returns all files that an agent has left. */
    List<Path> left(String name) throws IOException {
        return files(state(name));
    }

    /** Returns all files that the conductor's machine has left. */
    List<Path> left() throws IOException {
        return files(folder.resolve("state"));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** Ends the run; agents then end by themselves. */
    void end() {
        hosts.close();
        journal.delete(certificates);
    }

    @Override
    public void close() {
        end();
        children.close();
        journal.close();
        // An agent that is killed before its cleanup leaves links. JUnit warns when it deletes links.
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path link : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("deleting links in " + folder, e);
        }
    }
}
