package weir.feature;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import weir.cli.Conductor;
import weir.cli.PlaceCheck;
import weir.cli.RunExtension;
import weir.cli.cluster.ClusterExtension;
import weir.judge.ProbeSeries;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.check.VariantCheck;
import weir.plan.explain.Explanation;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantOverlay;
import weir.plan.trial.ExtraTrials;
import weir.report.Section;
import weir.report.SectionPart;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;
import weir.run.disturbance.DisturbanceKind;
import weir.run.lab.GivenMetrics;
import weir.run.lab.OtherHosts;
import weir.run.lab.TrialCompanion;
import weir.worker.MessageTransport;

/**
 * One ability of Weir and everything that belongs to it, in one package. {@link Features#ALL} lists the features; the
 * rooms of the spine ask that list by kind and name none of them. Its rows for {@code keys.yaml}, {@code words.yaml}
 * and {@code caveats.yaml} are in resources of these names beside its class.
 */
public interface Feature {
    /** Returns a feature that is one command. */
    static Feature of(Class<?> command) {
        return new Feature() {
            @Override
            public String name() {
                return command.getPackageName();
            }

            @Override
            public List<Class<?>> commands() {
                return List.of(command);
            }
        };
    }

    /** Returns the package of the feature. */
    default String name() {
        return getClass().getPackageName();
    }

    /** Commands of weir, as picocli annotates them. */
    default List<Class<?>> commands() {
        return List.of();
    }

    default List<Conductor> conductors() {
        return List.of();
    }

    default List<PlaceCheck> placeChecks() {
        return List.of();
    }

    default List<ExtraTrials> extraTrials() {
        return List.of();
    }

    default List<TrialCompanion.Maker> trialCompanions() {
        return List.of();
    }

    /** The sections that the report has of the feature. */
    default List<Section> sections() {
        return List.of();
    }

    default List<SectionPart> sectionParts() {
        return List.of();
    }

    default List<SearchKind> searches() {
        return List.of();
    }

    /** The kinds of disturbances by processes of the feature's own. */
    default List<DisturbanceKind> disturbances() {
        return List.of();
    }

    default List<ModelKind> models() {
        return List.of();
    }

    /** New options for one command that runs an experiment. */
    default List<RunExtension> runExtensions() {
        return List.of();
    }

    /** New options for one {@code weir cluster start}. */
    default List<ClusterExtension> clusterExtensions() {
        return List.of();
    }

    default List<GivenMetrics> givenMetrics() {
        return List.of();
    }

    /** The hosts of a run other than this machine; at most one feature makes them. */
    default List<OtherHosts.Maker> hosts() {
        return List.of();
    }

    default List<VariantOverlay> variantOverlays() {
        return List.of();
    }

    /** Rules that set values of a complete variant from its other values. */
    default List<UnaryOperator<Tree.Section>> variantRules() {
        return List.of();
    }

    default List<Explanation> explanations() {
        return List.of();
    }

    default List<FeatureCaveats> caveats() {
        return List.of();
    }

    default List<VariantCheck> variantChecks() {
        return List.of();
    }

    default List<MessageTransport> transports() {
        return List.of();
    }

    /** The records with which the feature extends families of the rooms, such as {@link weir.plan.BridgeSpec}. */
    default List<Class<? extends Record>> forms() {
        return List.of();
    }

    /** The time of a message at each process that it passes, from the readings of a trial and its other results. */
    default List<BiFunction<ProbeSeries, TrialResult, List<HopResult>>> ways() {
        return List.of();
    }

    default List<BridgeKind> bridges() {
        return List.of();
    }
}
