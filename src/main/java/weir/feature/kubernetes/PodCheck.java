package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.feature.hosts.ProgramFiles;
import weir.feature.kubernetes.ConductorServer.ConductorInfo;
import weir.host.HostUnavailable;
import weir.probe.Finding;
import weir.time.MachineClock;

/**
 * The check that creates all pods of a run and deletes them again. The conductor's pod waits for a request that never
 * comes; the other pods print the time and sleep.
 *
 * @param stops returns true once the wait is cancelled
 */
record PodCheck(KubernetesClient client, RunObjects objects, String build, BooleanSupplier stops) {
    private static final Duration STARTING = Duration.ofSeconds(60);

    /** The limit of a pod's lifetime, in case this process dies before it deletes the pod. */
    private static final long LONGEST_SECONDS = 300;

    private static final String CLOCK = "clock";
    private static final String TELL_TIME = "date +%s.%N >/dev/termination-log";
    private static final Pattern TIME = Pattern.compile("(\\d{9,11}(?:\\.\\d{1,9})?)\\D*");

    /** In seconds. Certificates of a run are valid from 30 days before the conductor makes them. */
    private static final double WRONG_SECONDS = 29 * 86_400;

    private static final double DOUBTFUL_SECONDS = 60;

    /** The clock of a node minus this machine's clock, and its error, in seconds. */
    private record NodeClock(String node, double seconds, double error) {
        double sure() {
            return Math.max(0, Math.abs(seconds) - error);
        }

        String text() {
            return String.format(Locale.ROOT, "%s %+.1f s ± %.1f s", node, seconds, error);
        }
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        RunIdentity run = objects.run();
        try {
            RunObjects owned = objects.created(client);
            try {
                Instant made = MachineClock.WALL.instant();
                owned.owned(true)
                        .forEach(object -> client.resource(waiting(object)).create());
                owned.hosts("127.0.0.1:" + RunObjects.PORT)
                        .forEach(object -> client.resource(asleep(object)).create());
                examine(made, findings);
            } finally {
                if (!RunObjects.delete(client, run)) {
                    findings.add(new Finding(
                            "pods of this check",
                            "still there",
                            Finding.Verdict.DOUBT,
                            "check '" + run.name() + "' was deleted a minute ago, but some of its objects remain",
                            "weir doctor --on kubernetes --clean"));
                }
            }
        } catch (HostUnavailable | KubernetesClientException e) {
            String why = e instanceof KubernetesClientException refused ? ApiServer.reason(refused) : e.getMessage();
            findings.add(new Finding(
                    "pods",
                    "do not run",
                    Finding.Verdict.BAD,
                    String.valueOf(why),
                    "a run would also fail; see the requested resources in docs/how-to/kubernetes.md"));
        }
        return findings;
    }

    /** Adds a token, for which agents wait, and a lifetime limit in case the creator dies. */
    private static HasMetadata waiting(HasMetadata object) {
        if (object instanceof Secret secret) {
            secret.setStringData(Map.of(RunObjects.TOKEN_KEY, "none"));
        } else if (object instanceof Pod pod) {
            pod.getSpec().setActiveDeadlineSeconds(LONGEST_SECONDS);
        }
        return object;
    }

    private static HasMetadata asleep(HasMetadata hosts) {
        if (hosts instanceof Job job) {
            job.getSpec().setActiveDeadlineSeconds(LONGEST_SECONDS);
        }
        PodSpec pod = (hosts instanceof StatefulSet set
                        ? set.getSpec().getTemplate()
                        : ((Job) hosts).getSpec().getTemplate())
                .getSpec();
        // The program sleep ignores SIGTERM.
        pod.setTerminationGracePeriodSeconds(1L);
        Container weir = pod.getContainers().get(0);
        weir.setArgs(List.of());
        weir.setCommand(List.of("sleep", String.valueOf(LONGEST_SECONDS)));
        pod.setInitContainers(List.of(new ContainerBuilder(weir)
                .withName(CLOCK)
                .withCommand("sh", "-c", TELL_TIME)
                .build()));
        return hosts;
    }

    private void examine(Instant made, List<Finding> findings) {
        RunIdentity run = objects.run();
        ConductorApi pods = new ConductorApi(client, run);
        List<String> hosts = PodSets.of(objects.experiment()).all().stream()
                .flatMap(set -> set.hosts(run).stream())
                .toList();
        pods.await(hosts, STARTING, stops);
        Instant ran = MachineClock.WALL.instant();
        List<NodeClock> clocks = new ArrayList<>();
        try (ForwardedConductor asked = new ForwardedConductor(client, run, stops, note -> {})) {
            Map<String, Pod> all = pods.byHost();
            findings.add(room(all, Duration.between(made, MachineClock.WALL.instant())));
            all.values()
                    .forEach(pod -> podClock(pod).ifPresent(clock -> clocks.add(offset(node(pod), made, ran, clock))));
            // The first call also opens the connection, so it takes longer.
            asked.ask(ConductorInfo.class, ConductorServer.Op.ABOUT);
            Instant before = MachineClock.WALL.instant();
            ConductorInfo about = asked.ask(ConductorInfo.class, ConductorServer.Op.ABOUT);
            findings.add(image(about.build()));
            Pod seen = all.get(RunObjects.podName(run));
            if (seen != null) {
                clocks.add(offset(
                        node(seen), before, MachineClock.WALL.instant(), Instant.ofEpochMilli(about.clockMillis())));
            }
        }
        findings.add(clocks(clocks));
    }

    private static String node(Pod pod) {
        return String.valueOf(pod.getSpec().getNodeName());
    }

    private static Finding room(Map<String, Pod> pods, Duration took) {
        String nodes = pods.values().stream()
                .collect(Collectors.groupingBy(PodCheck::node, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(node -> node.getValue() + " on " + node.getKey())
                .collect(Collectors.joining(", "));
        return new Finding(
                "pods",
                pods.size() + " in " + String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1e3),
                Finding.Verdict.FINE,
                "all pods of a run were scheduled and found their image: " + nodes,
                "");
    }

    private Finding image(String theirs) {
        return ProgramFiles.sameBuild(build, theirs)
                ? new Finding("image", theirs, Finding.Verdict.FINE, "has the same version of Weir as this machine", "")
                : new Finding(
                        "image",
                        theirs,
                        Finding.Verdict.BAD,
                        "'" + RunObjects.placed(objects.experiment()).image()
                                + "' contains another version of Weir than this machine, " + build,
                        "use the same version, in a new image or on this machine");
    }

    private static NodeClock offset(String node, Instant earliest, Instant latest, Instant reported) {
        double width = Duration.between(earliest, latest).toNanos() / 1e9;
        double since = Duration.between(earliest, reported).toNanos() / 1e9;
        return new NodeClock(node, since - width / 2, width / 2);
    }

    private static Optional<Instant> podClock(Pod pod) {
        return pod.getStatus().getInitContainerStatuses().stream()
                .filter(status -> status.getName().equals(CLOCK))
                .map(ContainerStatus::getState)
                .filter(state -> state.getTerminated() != null)
                .map(state -> TIME.matcher(
                        String.valueOf(state.getTerminated().getMessage()).strip()))
                .filter(Matcher::matches)
                .map(time -> new BigDecimal(time.group(1)))
                .map(time -> Instant.ofEpochSecond(
                        time.longValue(),
                        time.remainder(BigDecimal.ONE).movePointRight(9).longValue()))
                .findFirst();
    }

    private static Finding clocks(List<NodeClock> all) {
        Map<String, NodeClock> byNode = new TreeMap<>();
        all.forEach(
                each -> byNode.merge(each.node(), each, (one, other) -> one.error() <= other.error() ? one : other));
        double worst =
                byNode.values().stream().mapToDouble(NodeClock::sure).max().orElse(0);
        Finding.Verdict verdict = worst > WRONG_SECONDS
                ? Finding.Verdict.BAD
                : worst > DOUBTFUL_SECONDS ? Finding.Verdict.DOUBT : Finding.Verdict.FINE;
        double most = byNode.values().stream()
                .mapToDouble(each -> Math.abs(each.seconds()) + each.error())
                .max()
                .orElse(0);
        return new Finding(
                "clocks of nodes",
                String.format(Locale.ROOT, "within %.1f s", most),
                verdict,
                "compared with this machine: "
                        + byNode.values().stream().map(NodeClock::text).collect(Collectors.joining(", "))
                        + "; a run measures the clocks more exactly",
                "synchronize the clocks (chrony); a run's certificates are valid a month before and two months after");
    }
}
