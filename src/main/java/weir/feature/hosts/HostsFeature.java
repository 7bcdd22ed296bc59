package weir.feature.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.CliCommand;
import weir.cli.HostPort;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.feature.Feature;
import weir.feature.hosts.LinkListener.Hello;
import weir.host.HomeFolders;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.plan.EnumNames;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;
import weir.run.Exit;
import weir.run.lab.OtherHosts;
import weir.time.DaemonThreads;

/** Hosts other than this machine. An agent on each host starts processes for the run's conductor. */
public final class HostsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(WorkerCommand.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(new HostChecks(), new ClockCaveats(), (OtherHosts.Maker) WorkerHosts::new);
    }

    static final class ClockCaveats implements FeatureCaveats {
        private static final CaveatType E2E_UNKNOWN = CaveatType.named("e2e-unknown");
        private static final CaveatType E2E_UNCERTAIN = CaveatType.named("e2e-uncertain");
        private static final CaveatType RECEIVED_BEFORE_DUE = CaveatType.named("received-before-due");

        private static final double SMALL = 0.1;

        @Override
        public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
            for (StepResult step : result.steps()) {
                String at = NumberFormat.step(step.label());
                double error = Objects.requireNonNullElse(step.figures().e2e().error(), 0.0);
                @Nullable Double half = step.figures().e2e().p50();
                if (half != null && error > SMALL * half) {
                    CaveatType type = error > half ? E2E_UNKNOWN : E2E_UNCERTAIN;
                    caveats.add(type, at, NumberFormat.millis(half), NumberFormat.millis(error));
                }
                Latency early = files.of(step.step()).latency(LatencyKind.EARLY);
                Latency beyond = early.between(Math.round(error * 1e6), Long.MAX_VALUE);
                if (!beyond.empty()) {
                    caveats.add(
                            RECEIVED_BEFORE_DUE,
                            at,
                            NumberFormat.count(beyond.count()),
                            NumberFormat.millis(beyond.maxMillis()),
                            NumberFormat.millis(error));
                }
            }
            TrialEnd.Measured measured = files.end().measured();
            double jump = files.readings().max("generator", "clock.jump.ms", measured.from(), measured.to());
            if (jump > 0 && !result.steps().isEmpty()) {
                caveats.found(
                        MachineCaveats.CLOCK_STEPPED,
                        "a worker clock jumped relative to the conductor clock by " + NumberFormat.millis(jump),
                        "e2e latency and the times of all events");
            }
        }
    }

    static final class HostChecks implements VariantCheck {
        private static final Pattern NAME =
                Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]{0,62}@)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
        private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?");
        private static final int HIGHEST_PORT = 65_535;

        private record Placement(String path, PlacedSpec.Hosts hosts, LayeredExperiment.LayeredVariant laid) {}

        @Override
        public void check(ProblemSpot spot, Variant variant) {
            placements(variant).forEach((path, hosts) -> {
                names(spot, path + ".hosts", hosts);
                address(spot, path + ".address", hosts);
                if (hosts.ssh().isEmpty()) {
                    spot.wrong(path + ".ssh", "must name a command; remove the key to use ssh");
                }
            });
        }

        /** Checks that all placements on a host have the same address, start and ssh command. */
        @Override
        public void together(List<LayeredExperiment.LayeredVariant> all, Findings findings) {
            Map<String, Placement> first = new HashMap<>();
            for (LayeredExperiment.LayeredVariant laid : all) {
                for (Map.Entry<String, PlacedSpec.Hosts> each :
                        placements(laid.variant()).entrySet()) {
                    Placement placement = new Placement(each.getKey(), each.getValue(), laid);
                    for (String name : placement.hosts().names()) {
                        Placement before = first.putIfAbsent(name, placement);
                        String key = before == null ? "" : differing(before.hosts(), placement.hosts());
                        if (before != null && !key.isEmpty()) {
                            contradiction(name, key, before, placement, findings);
                            return;
                        }
                    }
                }
            }
        }

        private static Map<String, PlacedSpec.Hosts> placements(Variant variant) {
            Map<String, PlacedSpec.Hosts> hosts = new TreeMap<>();
            variant.places().forEach((path, spec) -> {
                if (spec instanceof PlacedSpec.Hosts elsewhere) {
                    hosts.put(path, elsewhere);
                }
            });
            return hosts;
        }

        private static String differing(PlacedSpec.Hosts one, PlacedSpec.Hosts other) {
            return Stream.of("address", "start", "ssh")
                    .filter(key -> !placementText(key, one).equals(placementText(key, other)))
                    .findFirst()
                    .orElse("");
        }

        private static void contradiction(
                String name, String key, Placement before, Placement placement, Findings findings) {
            String other = before.laid().variant().name();
            String of = other.equals(placement.laid().variant().name()) ? "" : " of variant '" + other + "'";
            new ProblemSpot(placement.laid().tree(), findings)
                    .wrong(
                            placement.path() + "." + key,
                            "host '" + name + "' has " + placementText(key, placement.hosts()) + " here and "
                                    + placementText(key, before.hosts()) + " in " + before.path() + of
                                    + "; write one value in both places, because a run connects to each host once");
        }

        private static String placementText(String key, PlacedSpec.Hosts hosts) {
            return switch (key) {
                case "address" -> hosts.address().isEmpty() ? "no address" : "address '" + hosts.address() + "'";
                case "start" -> "start '" + EnumNames.of(hosts.start()) + "'";
                default -> "ssh '" + String.join(" ", hosts.ssh()) + "'";
            };
        }

        private static void names(ProblemSpot spot, String path, PlacedSpec.Hosts hosts) {
            if (hosts.names().isEmpty()) {
                spot.wrong(path, "must name at least one host; write hosts: [a, b]");
            }
            Set<String> seen = new HashSet<>();
            for (String name : hosts.names()) {
                if (!NAME.matcher(name).matches()) {
                    spot.wrong(
                            path,
                            "'" + name + "' is not a host name; write NAME or USER@NAME, and its address in the"
                                    + " configuration of ssh");
                } else if (!seen.add(name)) {
                    spot.wrong(path, "'" + name + "' is listed twice; list each host once");
                }
            }
        }

        private static void address(ProblemSpot spot, String path, PlacedSpec.Hosts hosts) {
            String address = hosts.address();
            boolean byHand = hosts.start() == PlacedSpec.Start.BY_HAND;
            if (address.isEmpty()) {
                if (byHand) {
                    spot.wrong(
                            path, "start: by-hand requires an address for the workers; write address: 10.0.0.1:7411");
                }
                return;
            }
            if (!ADDRESS.matcher(address).matches() || hosts.port() > HIGHEST_PORT) {
                spot.wrong(path, "'" + address + "' is not an address; write HOST or HOST:PORT");
            } else if (byHand && hosts.port() < 1) {
                spot.wrong(
                        path,
                        "'" + address + "' has no port, but start: by-hand needs a port; write " + address + ":7411");
            }
        }
    }

    /** The {@code weir worker} command, which takes part in a run that another machine conducts. */
    @Command(
            name = "worker",
            header = "Take part in a run that another machine conducts.",
            description = {
                "Connects to a run and starts the processes that the run requests. The worker exits when the run ends,"
                        + " or after 10 s without a message from the run. All its processes end with the worker.",
                "Exit codes: 0 the run is over; 1 the connection broke; 2 bad input; 3 no connection, or refused."
            },
            footer = "Example: weir worker --connect 10.0.0.1:7411 --token token.txt --name a")
    static final class WorkerCommand extends CliCommand implements Callable<Integer> {
        private static final String STANDARD_INPUT = "-";

        @Option(
                names = "--connect",
                required = true,
                paramLabel = "HOST:PORT",
                description = "Address of the run. The run prints this address.")
        private String connect = "";

        @Option(
                names = "--token",
                required = true,
                paramLabel = "FILE",
                description =
                        "Token file of the run, copied to this host. With -, the worker reads the token from standard"
                                + " input and exits when standard input ends.")
        private String token = "";

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "Name of this host in the experiment (default: the name of the machine).")
        private @Nullable String name;

        @Option(
                names = "--once",
                hidden = true,
                description = "Prepare nothing for later runs, because this machine serves only one run, like a pod.")
        private boolean once;

        @Override
        public Integer call() throws IOException {
            if (once) {
                System.clearProperty("weir.archives");
            }
            InetSocketAddress address = address();
            String called = name == null ? "" : name;
            if (!called.isEmpty() && !Hello.named(called)) {
                throw wrong("--name: '" + called + "' is not a host name; use letters, digits, '.', '_' and '-'");
            }
            boolean piped = token.equals(STANDARD_INPUT);
            SSLContext read;
            try {
                read = piped ? RunCertificates.read(System.in, "standard input") : RunCertificates.read(Path.of(token));
            } catch (LinkRefused e) {
                throw wrong("--token: " + e.getMessage());
            }
            Hello hello = Hello.ofThisMachine(called, WeirVersion.number());
            try (Agent agent = Agent.start(address, read, hello, HomeFolders.ofThisUser());
                    SignalHandler signals = new SignalHandler(() -> agent.end("ended by a signal"))) {
                err().println("host '" + hello.name() + "' takes part in the run at " + connect);
                if (piped) {
                    watchInput(agent);
                }
                String why = agent.await();
                if (!why.isEmpty()) {
                    err().println(why + "; all processes of this worker have ended");
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
}
