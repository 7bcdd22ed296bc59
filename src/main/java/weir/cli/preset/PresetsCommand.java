package weir.cli.preset;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.FormatOption;
import weir.cli.terminal.JsonOutput;
import weir.cli.terminal.LineOutput;
import weir.cluster.release.BrokerDefinition;
import weir.cluster.release.Release;
import weir.cluster.start.ExternalCluster;
import weir.plan.ClusterSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.BrokerProperties;
import weir.plan.property.Preset;
import weir.plan.property.PresetProperty;
import weir.plan.property.PresetProperty.By;
import weir.plan.property.PresetProperty.Side;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.property.Redact;
import weir.plan.syntax.Keys;

/** Shows the settings for a goal beside the defaults, the user's own and those of a cluster. */
@Command(
        name = "presets",
        header = "Show the settings for a goal, why, and what they cost: weir presets durability",
        description = {
            "Without GOAL, the goals there are. An experiment runs one by 'preset: GOAL' in a variant. With a cluster, what its"
                    + " brokers lack of the goal is listed as its operator's to do; nothing is changed there."
        })
public final class PresetsCommand extends CliCommand implements Runnable {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(
            names = "--with",
            paramLabel = "FILE",
            description = "Your own properties, of clients, topics and brokers, to stand beside the preset's.")
    private String with = "";

    @Option(
            names = "--kafka",
            paramLabel = "RELEASE",
            description = "The release whose brokers' defaults are shown, fetched if need be; the newest without it.")
    private String kafka = "";

    @Parameters(arity = "0..1", paramLabel = "GOAL", description = "The goal, such as durability.")
    private String goal = "";

    @Override
    public void run() {
        boolean cluster =
                !connection.bootstrap().isEmpty() || !connection.commandConfig().isEmpty();
        if (goal.isEmpty()) {
            if (cluster || !with.isEmpty() || !kafka.isEmpty()) {
                throw wrong("for which goal? There are " + String.join(", ", Preset.names()));
            }
            list();
            return;
        }
        if (cluster && !kafka.isEmpty()) {
            throw wrong("--kafka: a cluster has a release of its own; leave it out");
        }
        if (!kafka.isEmpty()) {
            CommandLineCluster.checkRelease(command(), kafka);
        }
        Preset preset = preset();
        OwnProperties own = with.isEmpty() ? OwnProperties.NONE : OwnProperties.read(with);
        own.remarks().forEach(remark -> err().println(LineOutput.harmless("note: " + remark)));
        GivenBrokers brokers = cluster ? GivenBrokers.of(ExternalCluster.connect(given())) : GivenBrokers.NONE;
        List<PresetRow> rows = new PresetRows(preset, defaults(preset), own, brokers).all();
        PrintWriter out = out();
        if (format.json()) {
            JsonOutput.pretty(out, json(preset, rows, brokers));
        } else {
            out.print(new PresetText(preset, rows, own, brokers).text(release(brokers)));
            out.flush();
        }
    }

    private void list() {
        PrintWriter out = out();
        if (format.json()) {
            JsonOutput.pretty(
                    out,
                    Preset.all().stream()
                            .map(preset -> Map.of(
                                    "preset", preset.name(), "meaning", preset.meaning(), "price", preset.price()))
                            .toList());
            return;
        }
        Preset.all().forEach(preset -> out.printf("%-16s %s%n", preset.name(), preset.meaning()));
    }

    private Preset preset() {
        try {
            return Preset.named(goal);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command(), String.valueOf(e.getMessage()), e);
        }
    }

    private ClusterSpec given() {
        ClusterSpec asked = CommandLineCluster.cluster(command(), connection);
        if (asked.ours()) {
            throw wrong("--bootstrap-server is missing: which cluster?");
        }
        return asked;
    }

    private static String bundled() {
        return Keys.at("cluster.kafka").fallback().line();
    }

    private String release(GivenBrokers brokers) {
        return brokers.asked() ? brokers.version() : kafka.isEmpty() ? bundled() : kafka;
    }

    /** A release that does not know a property of the preset cannot run it. */
    private SortedMap<String, String> defaults(Preset preset) {
        if (kafka.isEmpty() || kafka.equals(bundled())) {
            return BrokerProperties.defaults();
        }
        SortedMap<String, String> defaults = BrokerDefinition.defaults(Release.fetch(kafka, err()::println));
        List<String> unknown = preset.of(PresetProperty.Side.BROKER).stream()
                .map(PresetProperty::name)
                .filter(name -> !defaults.containsKey(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw new Problems(List.of(Problem.of(
                    "preset " + preset.name(),
                    "the brokers of Kafka " + kafka + " do not know " + String.join(", ", unknown)
                            + "; choose a newer release")));
        }
        return defaults;
    }

    private static Map<String, Object> json(Preset preset, List<PresetRow> rows, GivenBrokers brokers) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("preset", preset.name());
        json.put("meaning", preset.meaning());
        json.put("price", preset.price());
        json.put(
                "properties",
                rows.stream().map(row -> row.json(brokers.asked())).toList());
        if (brokers.asked()) {
            json.put("cluster", brokers.cluster());
            json.put("to do", brokers.toDo(preset));
        }
        return json;
    }

    /** The rows of a preset: its own properties, and those that a client changes because of them. */
    record PresetRows(
            Preset preset, SortedMap<String, String> brokerDefaults, OwnProperties own, GivenBrokers brokers) {
        private static final String DEFAULT_REPLICATION = "default.replication.factor";

        PresetRows {
            brokerDefaults = new TreeMap<>(brokerDefaults);
        }

        List<PresetRow> all() {
            ClientsView goal = ClientsView.of(
                    "preset " + preset.name(),
                    preset.ofApplications(Side.PRODUCER),
                    preset.ofApplications(Side.CONSUMER));
            ClientsView yours = ClientsView.of(own);
            List<PresetRow> rows = new ArrayList<>();
            for (Side side : Side.values()) {
                List<PresetProperty> properties = new ArrayList<>(preset.of(side));
                changed(goal, side, properties, "preset");
                changed(yours, side, properties, "file");
                properties.forEach(property -> rows.add(row(property, goal, yours)));
            }
            return rows;
        }

        /** Adds what the client changes by itself because of others. */
        private static void changed(ClientsView view, Side side, List<PresetProperty> properties, String because) {
            for (Property property : view.overridden(side)) {
                if (properties.stream().noneMatch(one -> one.name().equals(property.name()))) {
                    properties.add(new PresetProperty(
                            side,
                            property.name(),
                            "-",
                            "",
                            By.CLIENT,
                            "the client sets it to " + property.effective() + " because of the rest of the " + because,
                            "see there",
                            ""));
                }
            }
        }

        private PresetRow row(PresetProperty property, ClientsView goal, ClientsView yours) {
            Side side = property.side();
            String name = property.name();
            boolean broker = side == Side.BROKER;
            String given = Redact.secret(name) && own.values().containsKey(name)
                    ? Redact.HIDDEN
                    : own.values().getOrDefault(name, "");
            return new PresetRow(
                    property,
                    byDefault(side, name),
                    goal.property(side, name).map(Property::effective).orElse(""),
                    given,
                    own.file().isEmpty()
                            ? ""
                            : yours.property(side, name)
                                    .map(Property::effective)
                                    .orElse(given),
                    broker && brokers.asked() ? brokers.values(property) : "",
                    broker && brokers.asked() && brokers.have(property));
        }

        private String byDefault(Side side, String name) {
            if (side == Side.PRODUCER || side == Side.CONSUMER) {
                Properties.Known known = Properties.known().get(name);
                return known == null ? "" : known.fallback();
            }
            // A topic that says nothing takes over what its broker has.
            String broker = name.equals(Property.REPLICATION) ? DEFAULT_REPLICATION : name;
            return brokers.asked() ? brokers.byDefault(broker) : brokerDefaults.getOrDefault(broker, "");
        }
    }
}
