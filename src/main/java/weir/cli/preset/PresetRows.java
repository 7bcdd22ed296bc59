package weir.cli.preset;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.property.Preset;
import weir.plan.property.PresetProperty;
import weir.plan.property.PresetProperty.By;
import weir.plan.property.PresetProperty.Side;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.property.Redact;

/** The rows of a preset: its own properties, and those that a client changes because of them. */
record PresetRows(Preset preset, SortedMap<String, String> brokerDefaults, OwnProperties own, GivenBrokers brokers) {
    private static final String DEFAULT_REPLICATION = "default.replication.factor";

    PresetRows {
        brokerDefaults = new TreeMap<>(brokerDefaults);
    }

    List<PresetRow> all() {
        ClientsView goal = ClientsView.of(
                "preset " + preset.name(), preset.ofApplications(Side.PRODUCER), preset.ofApplications(Side.CONSUMER));
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
                        : yours.property(side, name).map(Property::effective).orElse(given),
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
