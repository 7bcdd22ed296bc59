package weir.feature;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import weir.feature.advice.DoctorCommand;
import weir.feature.command.CommandFeature;
import weir.feature.delivery.DeliveryFeature;
import weir.feature.deploy.DeployCommand;
import weir.feature.fit.FitFeature;
import weir.feature.hosts.HostsFeature;
import weir.feature.http.HttpFeature;
import weir.feature.imports.ImportCommand;
import weir.feature.kubernetes.KubernetesFeature;
import weir.feature.live.LiveFeature;
import weir.feature.maintenance.MaintenanceFeature;
import weir.feature.metrics.MetricsFeature;
import weir.feature.monitor.MonitorCommand;
import weir.feature.partitions.PartitionsFeature;
import weir.feature.perf.PerfCommand;
import weir.feature.planes.PlanesCommand;
import weir.feature.presets.PresetsFeature;
import weir.feature.profile.ProfileFeature;
import weir.feature.publish.PublishFeature;
import weir.feature.readers.ReadersFeature;
import weir.feature.schema.SchemaFeature;
import weir.feature.shape.ShapeFeature;
import weir.feature.site.SiteCommand;
import weir.feature.stress.StressFeature;
import weir.feature.trend.TrendFeature;
import weir.feature.tune.TuneFeature;
import weir.feature.waterfall.WaterfallFeature;
import weir.load.message.SerializedValues;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.SearchSpec;
import weir.plan.ValueSpec;
import weir.run.disturbance.DisturbanceKind;

/** The features of this build. To remove a feature, delete its folders and its line here. */
public final class Features {
    public static final List<Feature> ALL = List.of(
            new TrendFeature(),
            new ProfileFeature(),
            new LiveFeature(),
            new MetricsFeature(),
            new HostsFeature(),
            new KubernetesFeature(),
            new HttpFeature(),
            new DeliveryFeature(),
            Feature.of(PerfCommand.class),
            Feature.of(DeployCommand.class),
            Feature.of(ImportCommand.class),
            Feature.of(DoctorCommand.class),
            new PresetsFeature(),
            Feature.of(MonitorCommand.class),
            new ShapeFeature(),
            Feature.of(PlanesCommand.class),
            new SchemaFeature(),
            new StressFeature(),
            new CommandFeature(),
            new ReadersFeature(),
            new MaintenanceFeature(),
            new FitFeature(),
            new WaterfallFeature(),
            new PartitionsFeature(),
            new TuneFeature(),
            new PublishFeature(),
            Feature.of(SiteCommand.class));

    private static final ClassValue<List<Class<?>>> FORMS = new ClassValue<>() {
        @Override
        protected List<Class<?>> computeValue(Class<?> family) {
            if (family.isSealed()) {
                return List.of(family.getPermittedSubclasses());
            }
            Stream<Class<?>> inside = Stream.of(family.getDeclaredClasses()).filter(Class::isRecord);
            return family.isInterface()
                    ? Stream.concat(inside, ALL.stream().flatMap(feature -> feature.forms().stream()))
                            .filter(family::isAssignableFrom)
                            .toList()
                    : List.of();
        }
    };

    private Features() {}

    /** Returns the records that implement an interface: those in its file, then those of features. */
    public static List<Class<?>> forms(Class<?> family) {
        return FORMS.get(family);
    }

    public static BridgeKind bridge(BridgeSpec asked) {
        return one(BridgeKind.class, kind -> kind.makes(asked), asked);
    }

    /** Returns the values of a spec that is {@link ValueSpec#serialized}. */
    public static SerializedValues serialized(ValueSpec asked, List<String> topics) {
        return one(SerializedValues.Kind.class, kind -> kind.asked().isInstance(asked), asked)
                .of(asked, topics);
    }

    public static SearchKind search(SearchSpec asked) {
        return one(SearchKind.class, kind -> kind.asked().isInstance(asked), asked);
    }

    public static DisturbanceKind disturbance(DisturbanceSpec asked) {
        return one(DisturbanceKind.class, kind -> kind.asked().isInstance(asked), asked);
    }

    private static <T extends Feature.Part> T one(Class<T> kind, Predicate<T> makes, Object asked) {
        return stream(kind).filter(makes).findFirst().orElseThrow(() -> new AssertionError(asked));
    }

    /** Returns the search of this name, which is also the name of its metric; empty without such a search. */
    public static Optional<SearchKind> search(String name) {
        return stream(SearchKind.class).filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** Returns the first part of a kind. A build without such a part fails with {@code name} in the error message. */
    public static <T extends Feature.Part> T first(Class<T> kind, String name) {
        return stream(kind).findFirst().orElseThrow(() -> new IllegalStateException("this build has no " + name));
    }

    /** The parts that are not features, made on first use, and never by a Kafka worker. */
    private static final class Parts {
        static final List<Feature.Part> ALL = Features.ALL.stream()
                .flatMap(feature -> feature.parts().stream())
                .toList();
    }

    public static <T extends Feature.Part> List<T> options(Class<T> kind) {
        return ALL.stream()
                .flatMap(feature -> feature.options().stream())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** Returns all parts of one kind, features first, each in the order of the features. */
    public static <T extends Feature.Part> List<T> each(Class<T> kind) {
        return stream(kind).toList();
    }

    private static <T> Stream<T> stream(Class<T> kind) {
        Stream<Object> others = Stream.of(kind).flatMap(none -> Parts.ALL.stream());
        return Stream.concat(ALL.stream(), others).filter(kind::isInstance).map(kind::cast);
    }
}
