package weir.feature.http;

import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** The default number of HTTP connections for events: 64. */
public final class EventSenders {
    /** Enough for 10,000 events per second if each answer takes 6 ms. */
    private static final String CONNECTIONS = "64";

    private EventSenders() {}

    /** Sets the default number of connections if another system delivers the messages as events. */
    static Tree.Section toOthers(Tree.Section tree) {
        Tree.Section bridge = tree.section("bridge");
        boolean others = bridge.entries().isEmpty() || bridge.has("url");
        return others && !tree.section("load").text("listen").isEmpty() ? connected(tree, "load.listen") : tree;
    }

    /** Sets the default number of connections. {@code by} names the setting that makes the messages events. */
    public static Tree.Section connected(Tree.Section tree, String by) {
        Tree.Section load = tree.section("load");
        Tree engine = load.entries().get("engine");
        String sending = engine instanceof Tree.Section each ? each.text("send") : load.text("engine");
        Tree connections = load.entries().get("connections");
        boolean unsaid = connections != null && connections.origin().text().equals("default");
        return unsaid && sending.equals("http")
                ? tree.with("load", load.with("connections", new Tree.Text(CONNECTIONS, true, Origin.unwritten(by))))
                : tree;
    }
}
