package weir.cluster.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.ListenerProbe.Reason;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * The first contact with a cluster. It tries each given and each advertised address separately, because a Kafka client
 * does not say why no address answers.
 */
public final class ClusterContact {
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final long POLL_MILLIS = 20;
    private static final int MOST_AT_ONCE = 32;
    /** The limit of addresses to diagnose, because one diagnosis may take seconds. */
    private static final int MOST_REASONS = 3;

    private static final long PAUSE_NANOS = 200_000_000;

    private final String bootstrap;
    private final SortedMap<String, String> client;

    private record Answer(String cluster, List<Node> brokers, Reason reason) {
        static Answer none(Reason reason) {
            return new Answer("", List.of(), reason);
        }

        boolean given() {
            return reason.text().isEmpty();
        }
    }

    private ClusterContact(String bootstrap, SortedMap<String, String> client) {
        this.bootstrap = bootstrap;
        this.client = client;
    }

    /**
     * Waits until one given address and all advertised addresses answer. Only a lasting problem ends the wait early.
     *
     * @throws ClusterUnavailable with the first address that does not answer, and the reason
     * @throws KafkaException if Kafka rejects the client properties
     */
    public static void await(String bootstrap, SortedMap<String, String> client, Duration timeout) {
        // Weir reports invalid client properties even if no broker listens.
        try {
            ClientUtils.createChannelBuilder(config(client), Time.SYSTEM, new LogContext())
                    .close();
        } catch (IllegalArgumentException e) {
            throw new KafkaException(e);
        }
        ClusterContact contact = new ClusterContact(bootstrap, client);
        TimeLimit limit = MachineClock.within(timeout);
        while (true) {
            Duration before = limit.left();
            Reason reason = contact.examine();
            if (reason.text().isEmpty()) {
                return;
            }
            Duration took = before.minus(limit.left());
            if (reason.lasting() || limit.left().compareTo(took) <= 0) {
                throw new ClusterUnavailable(reason.text());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Reason examine() {
        List<Node> given = new ArrayList<>();
        for (String address : bootstrap.split(",", -1)) {
            String host = Utils.getHost(address.strip());
            Integer port = Utils.getPort(address.strip());
            if (host != null && port != null) {
                given.add(new Node(-1 - given.size(), host, port));
            }
        }
        Map<Node, Answer> answers = ask(given, true);
        List<Node> answered =
                given.stream().filter(node -> of(answers, node).given()).toList();
        if (answered.isEmpty()) {
            return silent(given, answers);
        }
        Node first = answered.get(0);
        String cluster = of(answers, first).cluster();
        for (Node node : answered) {
            String other = of(answers, node).cluster();
            if (!other.equals(cluster)) {
                return Reason.lasting(at(first) + " is of cluster '" + cluster + "', and " + at(node)
                        + " is of cluster '" + other + "'; write addresses of one cluster");
            }
        }
        return advertised(first, of(answers, first), answers);
    }

    private static Reason silent(List<Node> given, Map<Node, Answer> answers) {
        Node contacted = given.stream()
                .filter(node -> of(answers, node).reason().lasting())
                .findFirst()
                .orElse(given.get(0));
        Reason reason = of(answers, contacted).reason();
        int others = given.size() - 1;
        return reason.with(at(contacted) + " " + reason.text()
                + (others == 0 ? "" : "; the other addresses (of " + given.size() + ") do not work either"));
    }

    private Reason advertised(Node contact, Answer answer, Map<Node, Answer> known) {
        String begin = at(contact) + " answered; ";
        Set<String> answered = new HashSet<>();
        known.forEach((node, each) -> {
            if (each.given()) {
                answered.add(at(node));
            }
        });
        Map<String, Node> advertised = new LinkedHashMap<>();
        for (Node broker : answer.brokers()) {
            Node twin = advertised.putIfAbsent(at(broker), broker);
            if (twin != null) {
                return Reason.lasting(begin + "brokers " + twin.id() + " and " + broker.id() + " both advertise "
                        + at(broker) + "; each broker needs its own address (advertised.listeners)");
            }
        }
        if (advertised.isEmpty()) {
            return Reason.passing(begin + "its metadata names no broker");
        }
        List<Node> open = advertised.values().stream()
                .filter(node -> !answered.contains(at(node)))
                .toList();
        Map<Node, Answer> answers = ask(open, false);
        List<Reason> reasons = new ArrayList<>();
        for (Node node : open) {
            Answer found = of(answers, node);
            String where = begin + "broker " + node.id() + " advertises " + at(node) + ", which ";
            if (!found.given()) {
                reasons.add(found.reason().with(where + found.reason().text() + " (advertised.listeners)"));
            } else if (!found.cluster().equals(answer.cluster())) {
                reasons.add(Reason.lasting(where + "is in another cluster, '" + found.cluster() + "' instead of '"
                        + answer.cluster() + "' (advertised.listeners)"));
            }
        }
        if (reasons.isEmpty()) {
            return Reason.NONE;
        }
        Reason reason = reasons.get(0);
        int brokers = advertised.size();
        return brokers == 1
                ? reason
                : reason.with(
                        reason.text() + "; " + reasons.size() + " of " + brokers + " brokers cannot be used from here");
    }

    private static Answer of(Map<Node, Answer> answers, Node node) {
        Answer answer = answers.get(node);
        if (answer == null) {
            throw new AssertionError("no request was sent to " + node);
        }
        return answer;
    }

    private static String at(Node node) {
        return Utils.formatAddress(node.host(), node.port());
    }

    private Map<Node, Answer> ask(List<Node> nodes, boolean any) {
        Map<Node, Answer> answers = new HashMap<>();
        Map<Node, Integer> tries = new LinkedHashMap<>();
        for (Node node : nodes) {
            try {
                tries.put(node, InetAddress.getAllByName(node.host()).length);
            } catch (UnknownHostException unknown) {
                answers.put(node, Answer.none(Reason.lasting("does not resolve on this machine")));
            }
        }
        ListenerProbe probe = new ListenerProbe(client);
        Map<Node, Integer> speaking = new LinkedHashMap<>(tries);
        speaking.keySet().removeAll(foreign(tries.keySet(), probe));
        Map<Node, AuthenticationException> refusals = new HashMap<>();
        if (!speaking.isEmpty()) {
            exchange(speaking, any, answers, refusals);
        }
        boolean enough = any && answers.values().stream().anyMatch(Answer::given);
        int diagnoses = 0;
        for (Node node : tries.keySet()) {
            if (!answers.containsKey(node)) {
                // Skips the slow diagnosis if another address answered or enough reasons are known.
                Reason reason = enough || diagnoses++ >= MOST_REASONS
                        ? Reason.passing("does not answer")
                        : probe.reason(node.host(), node.port(), refusals.get(node));
                answers.put(node, Answer.none(reason));
            }
        }
        return answers;
    }

    /** Finds nodes without Kafka's protocol. Tries all in parallel, because a silent node is slow. */
    private static Set<Node> foreign(Collection<Node> nodes, ListenerProbe probe) {
        Set<Node> foreign = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(nodes.size(), MOST_AT_ONCE)));
        try {
            threads.invokeAll(nodes.stream()
                    .map(node -> Executors.callable(() -> {
                        if (probe.foreign(node.host(), node.port())) {
                            foreign.add(node);
                        }
                    }))
                    .toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + nodes, e);
        } finally {
            threads.shutdownNow();
        }
        return foreign;
    }

    private void exchange(
            Map<Node, Integer> addresses,
            boolean any,
            Map<Node, Answer> answers,
            Map<Node, AuthenticationException> refusals) {
        Map<Node, Integer> open = new LinkedHashMap<>(addresses);
        Set<Node> asked = new HashSet<>();
        try (Metrics metrics = new Metrics();
                NetworkClient network = network(client, metrics, open.keySet())) {
            TimeLimit limit = MachineClock.within(SILENCE);
            while (!open.isEmpty() && !limit.passed()) {
                long now = Time.SYSTEM.milliseconds();
                for (Node node : List.copyOf(open.keySet())) {
                    AuthenticationException refused = network.authenticationException(node);
                    boolean failed = network.connectionFailed(node);
                    if (refused != null) {
                        refusals.put(node, refused);
                        open.remove(node);
                    } else if (failed && open.merge(node, -1, Integer::sum) <= 0) {
                        open.remove(node);
                    } else if (network.ready(node, now) && asked.add(node)) {
                        network.send(
                                network.newClientRequest(
                                        node.idString(), new MetadataRequest.Builder(List.of(), false), now, true),
                                now);
                    } else if (failed) {
                        asked.remove(node);
                    }
                }
                for (ClientResponse response : network.poll(POLL_MILLIS, now)) {
                    Node node = open.keySet().stream()
                            .filter(each -> each.idString().equals(response.destination()))
                            .findFirst()
                            .orElseThrow();
                    if (response.versionMismatch() != null) {
                        String why = "is not for clients, for example a controller: "
                                + response.versionMismatch().getMessage();
                        answers.put(node, Answer.none(Reason.lasting(why)));
                        open.remove(node);
                    } else if (response.responseBody() instanceof MetadataResponse metadata) {
                        String cluster = String.valueOf(metadata.clusterId());
                        answers.put(node, new Answer(cluster, List.copyOf(metadata.brokers()), Reason.NONE));
                        open.remove(node);
                        if (any && limit.limit().equals(SILENCE)) {
                            limit = MachineClock.within(GRACE);
                        }
                    }
                }
            }
        }
    }

    private static AdminClientConfig config(SortedMap<String, String> client) {
        Map<String, Object> known = AdminAnswers.known(client);
        known.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, "weir-contact");
        known.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, 0L);
        known.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 0L);
        return new AdminClientConfig(known);
    }

    static NetworkClient network(SortedMap<String, String> client, Metrics metrics, Collection<Node> nodes) {
        AdminClientConfig config = config(client);
        return ClientUtils.createNetworkClient(
                config,
                nodes.stream().map(ClusterContact::at).toList(),
                config.getString(AdminClientConfig.CLIENT_ID_CONFIG),
                metrics,
                "weir-contact",
                new LogContext(),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                Math.toIntExact(SILENCE.toMillis()),
                null,
                new ManualMetadataUpdater(List.copyOf(nodes)),
                new DefaultHostResolver(),
                null,
                null);
    }
}
