package weir.feature.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.CliCommand;
import weir.cli.HostPort;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.host.HomeFolders;
import weir.run.Exit;
import weir.time.DaemonThreads;

/** The {@code weir worker} command: takes part in a run that another machine conducts. */
@Command(
        name = "worker",
        header = "Take part in a run that is conducted on another machine.",
        description = {
            "Connects to a weir that runs an experiment elsewhere, starts the processes that it asks for, and ends when"
                    + " that run does. All that it has started ends with it, and when the other machine has not been heard"
                    + " for 10 s.",
            "Exit codes: 0 the run is over; 1 the run was lost; 2 bad input; 3 no connection, or refused."
        })
public final class WorkerCommand extends CliCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--connect",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where the other weir listens: its run prints it.")
    private String connect = "";

    @Option(
            names = "--token",
            required = true,
            paramLabel = "FILE",
            description =
                    "The token file of the run, copied from there; - reads it from standard input, and then ends when"
                            + " that ends.")
    private String token = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name by which the experiment calls this host; without it, that of the machine.")
    private @Nullable String name;

    @Option(
            names = "--once",
            hidden = true,
            description = "This machine is gone after the run, as a pod is: nothing is made for later ones.")
    private boolean once;

    @Override
    public Integer call() throws IOException {
        if (once) {
            System.clearProperty("weir.archives");
        }
        InetSocketAddress address = address();
        String called = name == null ? "" : name;
        if (!called.isEmpty() && !Hello.named(called)) {
            throw wrong("--name: '" + called + "' is no name of a host; use letters, digits, '.', '_' and '-'");
        }
        boolean piped = token.equals(STANDARD_INPUT);
        LinkToken read;
        try {
            read = piped ? LinkToken.read(System.in, "standard input") : LinkToken.read(Path.of(token));
        } catch (LinkRefused e) {
            throw wrong("--token: " + e.getMessage());
        }
        try (Agent agent = Agent.start(
                        new Agent.Settings(address, read, called, WeirVersion.number(), HomeFolders.ours()));
                SignalHandler signals = new SignalHandler(() -> agent.end("ended by a signal"))) {
            err().println("host '" + agent.name() + "' takes part in the run at " + connect);
            if (piped) {
                watchInput(agent);
            }
            String why = agent.await();
            if (!why.isEmpty()) {
                err().println(why + "; all that was started here has ended");
            }
            return signals.exit(why.isEmpty() ? Exit.FINE.code() : Exit.OUR_FAULT.code());
        } catch (LinkRefused e) {
            err().println(e.getMessage());
            return Exit.PREFLIGHT.code();
        }
    }

    private static void watchInput(Agent agent) {
        DaemonThreads.start("weir-worker-input", () -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
                agent.end("standard input ended");
            } catch (IOException e) {
                agent.end("standard input broke: " + e.getMessage());
            }
        });
    }

    private InetSocketAddress address() {
        try {
            HostPort read = HostPort.read(connect, 1, "10.0.0.1:7070");
            return new InetSocketAddress(read.host(), read.port());
        } catch (IllegalArgumentException e) {
            throw wrong("--connect: " + e.getMessage());
        }
    }
}
