package weir.feature.delivery;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import weir.feature.BridgeKind;
import weir.feature.Feature;
import weir.feature.http.EventSenders;
import weir.host.MachineResources;
import weir.judge.ProbeSeries;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.BridgeSpec;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.report.Section;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.ServerSite;

/** The processes that an event passes on its way: ingress, channel, filter and source. */
public final class DeliveryFeature implements Feature, BridgeKind {
    private static final String SOURCE = "kafka-source";
    private static final String HTTP = "http";

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(PathSpec.class, RungAssignment.class);
    }

    @Override
    public List<BridgeKind> bridges() {
        return List.of(this);
    }

    @Override
    public List<BiFunction<ProbeSeries, TrialResult, List<HopResult>>> ways() {
        return List.of(HopCalculation::of);
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(170, "hops", "Where the time goes", HopsSection::page, HopsSection::brief));
    }

    @Override
    public List<FeatureCaveats> caveats() {
        return List.of(new DeliveryCaveats());
    }

    @Override
    public List<UnaryOperator<Tree.Section>> variantRules() {
        return List.of(DeliveryFeature::sent);
    }

    private static Tree.Section sent(Tree.Section tree) {
        String path = tree.section("bridge").text("path");
        return path.isEmpty()
                ? tree
                : EventSenders.connected(path.equals(SOURCE) ? sentByClient(tree) : tree, "path " + path);
    }

    /** The tree for a Kafka source: the Kafka client writes the events, and HTTP only receives them. */
    private static Tree.Section sentByClient(Tree.Section tree) {
        Tree engine = tree.section("load").entries().get("engine");
        boolean whole = engine instanceof Tree.Text text && text.text().equals(HTTP);
        boolean http = whole
                || (engine instanceof Tree.Section each && each.text("send").equals(HTTP));
        if (engine == null || !http) {
            return tree;
        }
        Origin origin = engine.origin().in("path " + SOURCE);
        Tree.Section sides = engine instanceof Tree.Section each ? each : Tree.Section.empty(origin);
        sides = sides.with("send", new Tree.Text("client", true, origin));
        sides = whole ? sides.with("receive", new Tree.Text(HTTP, true, origin)) : sides;
        return tree.with("load", tree.section("load").with("engine", sides));
    }

    @Override
    public List<VariantCheck> variantChecks() {
        return List.of((spot, variant) -> new DeliveryChecks(spot, variant).check());
    }

    @Override
    public boolean makes(BridgeSpec asked) {
        return asked instanceof PathSpec;
    }

    @Override
    public List<String> servers() {
        return DeliveryChecks.PROCESSES;
    }

    @Override
    public List<String> missing(BridgeSpec asked, String host, MachineResources machine) {
        return machine.missing(asked.within(), Path.of(""));
    }

    @Override
    public Bridge start(BridgeStart trial, Function<String, ServerSite> sites) {
        return LocalRungs.start((PathSpec) trial.variant().bridge(), trial, sites.apply(""));
    }
}
