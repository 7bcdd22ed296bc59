package weir.plan.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.property.Redact;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Tree;

/** Makes a variant of a complete tree. */
final class BindVariant {
    private static final String HTTP = EnumNames.of(LoadSpec.Engine.HTTP);

    /** Connections of a sender of events: at 10,000/s an answer may take 6 ms. */
    private static final String EVENT_CONNECTIONS = "64";

    private BindVariant() {}

    /** {@code ofBrokers}: what a preset asks of brokers that are not ours to set up. */
    static Variant variant(
            String name, SortedMap<String, String> gridPoint, Tree.Section written, Tree.Section ofBrokers) {
        Tree.Section tree = connected(sentByClient(written));
        return new Binder(tree)
                .variant(Map.of("name", name, "gridPoint", gridPoint, "settings", settings(tree, ofBrokers)));
    }

    /** The same where a source takes events out of Kafka: HTTP is what it is received by, and the client writes them. */
    private static Tree.Section sentByClient(Tree.Section tree) {
        Tree engine = tree.section("load").entries().get("engine");
        String source = EnumNames.of(BridgeSpec.DeliveryPath.KAFKA_SOURCE);
        boolean whole = engine instanceof Tree.Text text && text.text().equals(HTTP);
        boolean http = whole
                || (engine instanceof Tree.Section each && each.text("send").equals(HTTP));
        if (engine == null || !http || !tree.section("bridge").text("path").equals(source)) {
            return tree;
        }
        Origin origin = engine.origin().in("path " + source);
        Tree.Section sides = engine instanceof Tree.Section each ? each : Tree.Section.empty(origin);
        sides = sides.with("send", new Tree.Text(EnumNames.of(LoadSpec.Engine.CLIENT), true, origin));
        sides = whole ? sides.with("receive", new Tree.Text(HTTP, true, origin)) : sides;
        return tree.with("load", tree.section("load").with("engine", sides));
    }

    /** The same with as many connections for events as an open loop needs, where the file does not say how many. */
    private static Tree.Section connected(Tree.Section tree) {
        Tree.Section load = tree.section("load");
        Tree engine = load.entries().get("engine");
        boolean http = engine instanceof Tree.Section each
                ? each.text("send").equals(HTTP)
                : load.text("engine").equals(HTTP);
        String path = tree.section("bridge").text("path");
        Tree connections = load.entries().get("connections");
        boolean unsaid = connections != null && connections.origin().text().equals("default");
        if (!http || !unsaid || (path.isEmpty() && load.text("listen").isEmpty())) {
            return tree;
        }
        Origin origin = Origin.unwritten(path.isEmpty() ? "load.listen" : "path " + path);
        return tree.with("load", load.with("connections", new Tree.Text(EVENT_CONNECTIONS, true, origin)));
    }

    private static SortedMap<String, Setting> settings(Tree.Section tree, Tree.Section ofBrokers) {
        Map<String, Tree> leaves = new LinkedHashMap<>();
        Paths.leaves("", tree, leaves);
        Paths.leaves(Setting.OF_OPERATOR, ofBrokers, leaves);
        SortedMap<String, Setting> settings = new TreeMap<>();
        leaves.forEach((path, value) -> settings.put(
                path,
                new Setting(
                        path, Redact.atPath(path, value.line()), value.origin().text())));
        return settings;
    }

    /** The keys of a variant's tree. */
    static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("seed"));
        keys.addAll(Keys.below(Keys.at("variants.*")).keySet());
        keys.removeAll(List.of("like", "preset", "grid"));
        return keys;
    }
}
