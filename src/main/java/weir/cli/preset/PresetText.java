package weir.cli.preset;

import java.util.ArrayList;
import java.util.List;
import weir.plan.property.Preset;
import weir.plan.property.PresetProperty;
import weir.plan.property.PresetProperty.By;
import weir.plan.property.PresetProperty.Side;
import weir.report.TextLines;

/** A preset as text, no wider than a terminal. */
final class PresetText {
    private static final int LONGEST = 12;
    private static final String NOTHING = "-";
    private static final String IN_EFFECT = "in effect";

    private final Preset preset;
    private final List<PresetRow> rows;
    private final OwnProperties own;
    private final GivenBrokers brokers;
    private final TextLines lines = new TextLines();

    PresetText(Preset preset, List<PresetRow> rows, OwnProperties own, GivenBrokers brokers) {
        this.preset = preset;
        this.rows = rows;
        this.own = own;
        this.brokers = brokers;
    }

    /** {@code kafka}: the release whose brokers have these defaults. */
    String text(String kafka) {
        lines.wrap("", preset.name() + ": " + preset.meaning());
        lines.wrap("  ", "price: " + preset.price());
        for (Side side : Side.values()) {
            List<PresetRow> some =
                    rows.stream().filter(row -> row.property().side() == side).toList();
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
            case PRODUCER, CONSUMER -> side.word() + " (load." + side.word() + ")";
            case TOPIC -> "each topic (topics), default of Kafka " + kafka;
            case BROKER -> "brokers (cluster.broker), default of Kafka " + kafka;
        };
    }

    private List<List<String>> table(Side side, List<PresetRow> some) {
        boolean client = side == Side.PRODUCER || side == Side.CONSUMER;
        List<List<String>> table = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("property", "preset"));
        head.addAll(client ? List.of(IN_EFFECT, "default") : List.of("default"));
        if (!own.file().isEmpty()) {
            head.addAll(client ? List.of("yours", IN_EFFECT) : List.of("yours"));
        }
        if (side == Side.BROKER && brokers.asked()) {
            head.addAll(List.of("there", "holds"));
        }
        table.add(head);
        some.forEach(row -> table.add(cells(row, client)));
        return table;
    }

    private List<String> cells(PresetRow row, boolean client) {
        List<String> cells = new ArrayList<>(
                List.of(row.property().name(), shown(row.property().value())));
        cells.addAll(
                client ? List.of(shown(row.effective()), shown(row.byDefault())) : List.of(shown(row.byDefault())));
        if (!own.file().isEmpty()) {
            cells.addAll(
                    client ? List.of(shown(row.yours()), shown(row.yoursEffective())) : List.of(shown(row.yours())));
        }
        if (row.property().side() == Side.BROKER && brokers.asked()) {
            cells.addAll(List.of(shown(row.there()), row.held() ? "yes" : "no"));
        }
        return cells;
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
        String range = property.other().isEmpty() ? "" : " The other end: " + property.other() + ".";
        String by = switch (property.by()) {
            case WEIR -> " Not set by a run: for your applications.";
            case OPERATOR -> " Not set by a run: the operator's to do.";
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
        lines.wrap("", "to do by the operator of " + brokers.cluster() + ":" + (open.isEmpty() ? " nothing" : ""));
        open.forEach(line -> lines.wrap("  - ", line));
    }
}
