package weir.feature.presets;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.FormattedCommand;
import weir.cli.terminal.LineOutput;
import weir.cluster.release.BrokerDefinition;
import weir.cluster.release.Release;
import weir.cluster.start.RefusedProperties;
import weir.feature.presets.PresetProperty.By;
import weir.feature.presets.PresetProperty.Side;
import weir.load.client.ClientConfig;
import weir.plan.EnumNames;
import weir.plan.Problems;
import weir.plan.property.BrokerProperties;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.property.Redact;
import weir.plan.syntax.Keys;
import weir.report.TextLines;
import weir.results.ResultJson;

/** The {@code weir presets} command, which shows the settings for a goal beside other settings. */
@Command(
        name = "presets",
        header = "Show the settings for a goal, their reasons and their costs.",
        footer = "Example: weir presets" + " durability",
        description = {
            "Without GOAL, the command lists the goals. An experiment uses a preset with 'preset: GOAL' in a"
                    + " variant. With --bootstrap-server, the command also lists the broker settings that the"
                    + " operator must change. The command itself changes nothing."
        })
public final class PresetsCommand extends FormattedCommand implements Runnable {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--with",
            paramLabel = "FILE",
            description = "File with your properties of clients, topics and brokers, to compare with the preset.")
    private String with = "";

    @Option(
            names = "--kafka",
            paramLabel = "RELEASE",
            description = "Kafka release for the broker defaults. Weir downloads it if needed (default: the newest).")
    private String kafka = "";

    @Parameters(arity = "0..1", paramLabel = "GOAL", description = "Goal, such as durability.")
    private String goal = "";

    @Override
    public void run() {
        boolean cluster =
                !connection.bootstrap().isEmpty() || !connection.commandConfig().isEmpty();
        if (goal.isEmpty()) {
            if (cluster || !with.isEmpty() || !kafka.isEmpty()) {
                throw wrong("name a goal: " + String.join(", ", Preset.names()));
            }
            list();
            return;
        }
        if (cluster && !kafka.isEmpty()) {
            throw wrong(
                    "--kafka: has no effect with --bootstrap-server, because the cluster has its own release; remove it");
        }
        if (!kafka.isEmpty()) {
            CommandLineCluster.checkRelease(command(), kafka);
        }
        Preset preset = preset();
        OwnProperties own = with.isEmpty() ? OwnProperties.NONE : OwnProperties.read(with);
        own.remarks().forEach(remark -> err().println(LineOutput.harmless("note: " + remark)));
        GivenBrokers brokers =
                cluster ? GivenBrokers.of(CommandLineCluster.connect(command(), connection)) : GivenBrokers.NONE;
        List<PresetRow> rows = new PresetRows(preset, defaults(preset), own, brokers).all();
        PrintWriter out = out();
        if (format.json()) {
            out.println(ResultJson.write(json(preset, rows, brokers)));
        } else {
            String release = brokers.asked() ? brokers.version() : kafka.isEmpty() ? bundled() : kafka;
            out.print(new PresetText(preset, rows, own, brokers, new TextLines()).text(release));
            out.flush();
        }
    }

    private void list() {
        PrintWriter out = out();
        if (format.json()) {
            out.println(ResultJson.write(Preset.all().stream()
                    .map(preset ->
                            Map.of("preset", preset.name(), "meaning", preset.meaning(), "price", preset.price()))
                    .toList()));
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

    private static String bundled() {
        return Keys.at("cluster.kafka").fallback().line();
    }

    /** Refuses a release that does not know a property of the preset. */
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
            throw Problems.of(
                    "preset " + preset.name(),
                    "the brokers of Kafka " + kafka + " do not know " + String.join(", ", unknown)
                            + "; choose a newer release");
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

        private static void changed(ClientsView view, Side side, List<PresetProperty> properties, String because) {
            for (Property property : view.overridden(side)) {
                if (properties.stream().noneMatch(one -> one.name().equals(property.name()))) {
                    properties.add(new PresetProperty(
                            side,
                            property.name(),
                            "-",
                            "",
                            By.CLIENT,
                            "the client derives " + property.effective() + " from other settings of the " + because,
                            "see those settings",
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
            // A topic without a value uses the value of its broker.
            String broker = name.equals(Property.REPLICATION) ? DEFAULT_REPLICATION : name;
            return brokers.asked() ? brokers.byDefault(broker) : brokerDefaults.getOrDefault(broker, "");
        }
    }

    private record PresetText(
            Preset preset, List<PresetRow> rows, OwnProperties own, GivenBrokers brokers, TextLines lines) {
        private static final int LONGEST = 12;
        private static final String NOTHING = "-";
        private static final String IN_EFFECT = "in effect";

        PresetText {
            rows = List.copyOf(rows);
        }

        private record Column(String head, Function<PresetRow, String> cell) {}

        String text(String kafka) {
            lines.wrap("", preset.name() + ": " + preset.meaning());
            lines.wrap("  ", "price: " + preset.price());
            for (Side side : Side.values()) {
                List<PresetRow> some = rows.stream()
                        .filter(row -> row.property().side() == side)
                        .toList();
                if (!some.isEmpty()) {
                    lines.add("");
                    lines.add(heading(side, kafka));
                    lines.table(table(side, some), some.size());
                    some.forEach(this::reasons);
                }
            }
            toDo();
            return lines.text();
        }

        private static String heading(Side side, String kafka) {
            return switch (side) {
                case PRODUCER, CONSUMER -> EnumNames.of(side) + " (load." + EnumNames.of(side) + ")";
                case TOPIC -> "each topic (topics), default of Kafka " + kafka;
                case BROKER -> "brokers (cluster.broker), default of Kafka " + kafka;
            };
        }

        private List<List<String>> table(Side side, List<PresetRow> some) {
            boolean client = side == Side.PRODUCER || side == Side.CONSUMER;
            List<Column> columns = new ArrayList<>();
            columns.add(new Column("property", row -> row.property().name()));
            columns.add(new Column("preset", row -> shown(row.property().value())));
            if (client) {
                columns.add(new Column(IN_EFFECT, row -> shown(row.effective())));
            }
            columns.add(new Column("default", row -> shown(row.byDefault())));
            if (!own.file().isEmpty()) {
                columns.add(new Column("yours", row -> shown(row.yours())));
                if (client) {
                    columns.add(new Column(IN_EFFECT, row -> shown(row.yoursEffective())));
                }
            }
            if (side == Side.BROKER && brokers.asked()) {
                columns.add(new Column("there", row -> shown(row.there())));
                columns.add(new Column("holds", row -> row.held() ? "yes" : "no"));
            }
            List<List<String>> table = new ArrayList<>();
            table.add(columns.stream().map(Column::head).toList());
            some.forEach(row -> table.add(
                    columns.stream().map(column -> column.cell().apply(row)).toList()));
            return table;
        }

        private static String shown(String value) {
            if (value.equals(Long.toString(Long.MAX_VALUE))) {
                return "2^63-1";
            }
            String some = value.isEmpty() ? NOTHING : value;
            return some.length() > LONGEST ? some.substring(0, LONGEST - 1) + "…" : some;
        }

        private void reasons(PresetRow row) {
            PresetProperty property = row.property();
            if (property.by() == By.CLIENT) {
                lines.wrap("  - ", property.name() + ": " + property.why() + ".");
                return;
            }
            String range = property.other().isEmpty() ? "" : " The other end of the range: " + property.other() + ".";
            String by = switch (property.by()) {
                case WEIR -> " A run does not set this property; set it in your applications.";
                case OPERATOR -> " A run does not set this property; the operator of the brokers must set it.";
                case RUN, CLIENT -> "";
            };
            lines.wrap(
                    "  - ",
                    property.name() + ": " + property.why() + "." + " Costs: " + property.costs() + "." + range + by
                            + (property.dated().isEmpty() ? "" : " Dated: " + property.dated() + "."));
        }

        private void toDo() {
            if (!brokers.asked()) {
                return;
            }
            List<String> open = brokers.toDo(preset);
            lines.add("");
            lines.wrap("", "to do for the operator of " + brokers.cluster() + ":" + (open.isEmpty() ? " nothing" : ""));
            open.forEach(line -> lines.wrap("  - ", line));
        }
    }

    /**
     * One property of a preset, with its other values. An unknown value is an empty text.
     *
     * @param effective value with which a client runs under the preset
     * @param yours value in the user's file; a secret is hidden
     * @param yoursEffective value with which a client runs under that file
     * @param there values of the brokers of the external cluster
     * @param held true if the values of the brokers match the preset
     */
    record PresetRow(
            PresetProperty property,
            String byDefault,
            String effective,
            String yours,
            String yoursEffective,
            String there,
            boolean held) {
        Map<String, Object> json(boolean cluster) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("of", EnumNames.of(property.side()));
            row.put("name", property.name());
            row.put("value", property.value());
            row.put("other", property.other());
            row.put("set by", EnumNames.of(property.by()));
            row.put("default", byDefault);
            row.put("effective", effective);
            row.put("yours", yours);
            row.put("effective of yours", yoursEffective);
            if (cluster && property.side() == PresetProperty.Side.BROKER) {
                row.put("there", there);
                row.put("held", held);
            }
            row.put("why", property.why());
            row.put("costs", property.costs());
            row.put("dated", property.dated());
            return row;
        }
    }

    private record ClientsView(Map<Side, Map<String, Property>> properties) {
        private static final Map<Side, Map<String, String>> SERIALIZERS = Map.of(
                Side.PRODUCER,
                both("key.serializer", "value.serializer", "ByteArraySerializer"),
                Side.CONSUMER,
                both("key.deserializer", "value.deserializer", "ByteArrayDeserializer"));

        ClientsView {
            properties = Map.copyOf(properties);
        }

        private static Map<String, String> both(String key, String value, String type) {
            String name = "org.apache.kafka.common.serialization." + type;
            return Map.of(key, name, value, name);
        }

        static ClientsView of(String source, SortedMap<String, String> producer, SortedMap<String, String> consumer) {
            RefusedProperties.ofProducer(new TreeMap<>(), producer, false)
                    .ifPresent(problem -> refuse(source, Side.PRODUCER, problem));
            RefusedProperties.ofConsumer(new TreeMap<>(), consumer)
                    .ifPresent(problem -> refuse(source, Side.CONSUMER, problem));
            return new ClientsView(Map.of(
                    Side.PRODUCER,
                    effective(ClientConfig.Kind.PRODUCER, Side.PRODUCER, producer),
                    Side.CONSUMER,
                    effective(ClientConfig.Kind.CONSUMER, Side.CONSUMER, consumer)));
        }

        static ClientsView of(OwnProperties own) {
            String source = "weir presets: --with " + own.file();
            return of(source, known(own, Side.PRODUCER), known(own, Side.CONSUMER));
        }

        private static SortedMap<String, String> known(OwnProperties own, Side side) {
            SortedMap<String, String> known = new TreeMap<>(own.values());
            known.keySet().removeIf(name -> {
                Properties.@Nullable Known property = Properties.known().get(name);
                return property == null || !property.clients().contains(EnumNames.of(side));
            });
            return known;
        }

        private static void refuse(String source, Side side, String problem) {
            throw Problems.of(
                    source,
                    "a Kafka " + EnumNames.of(side) + " does not start with these properties: " + Redact.text(problem)
                            + "; correct them");
        }

        private static Map<String, Property> effective(
                ClientConfig.Kind kind, Side side, SortedMap<String, String> properties) {
            SortedMap<String, String> plain = new TreeMap<>(properties);
            // Only a running client may ask providers, because they know secrets.
            plain.keySet().removeIf(name -> name.startsWith("config.providers"));
            plain.values().removeIf(value -> value.contains("${"));
            Map<String, String> serializers = SERIALIZERS.getOrDefault(side, Map.of());
            plain.keySet().removeAll(serializers.keySet());
            ClientConfig config = new ClientConfig(kind, serializers, Map.of(), plain);
            if (side == Side.CONSUMER) {
                // A consumer without a group never commits.
                config.unlessAsked("group.id", "weir");
            }
            return config.unlessAsked("bootstrap.servers", "localhost:9").effective().stream()
                    .collect(Collectors.toMap(Property::name, property -> property));
        }

        Optional<Property> property(Side side, String name) {
            return Optional.ofNullable(properties.getOrDefault(side, Map.of()).get(name));
        }

        List<Property> overridden(Side side) {
            return properties.getOrDefault(side, Map.of()).values().stream()
                    .filter(property -> property.source() == Property.Source.OVERRIDDEN)
                    .sorted(Comparator.comparing(Property::name))
                    .toList();
        }
    }
}
