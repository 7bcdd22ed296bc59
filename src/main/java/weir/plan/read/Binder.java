package weir.plan.read;

import static java.util.Map.entry;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.plan.BridgeSpec;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.CompareSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.ExtraSpec;
import weir.plan.GroupSpec;
import weir.plan.LoadPart;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.PlacedSpec;
import weir.plan.Rate;
import weir.plan.Ratio;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.ThreadsSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.plan.WorkSpec;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.plan.syntax.ValueSyntax;

/**
 * A maker of plan records from a checked tree. An absent key becomes an empty value, zero or false. If a section has
 * several forms, its keys decide which record of the sealed family is made.
 */
final class Binder {
    /** The keys of forms with another name. An empty key means a section without any such key. */
    private static final Map<Class<?>, String> FORMS = Map.ofEntries(
            entry(BridgeSpec.None.class, ""),
            entry(MeasureSpec.AsLongAsRates.class, ""),
            entry(ValueSpec.Content.PartlyRandom.class, "random"),
            entry(ValueSpec.Each.Delimited.class, "delimiter"),
            entry(ValueSpec.Each.Whole.class, "file"),
            entry(ValueSpec.FromFile.class, "file"),
            entry(ValueSpec.Generated.class, ""),
            entry(WarmupSpec.ForAt.class, "rate"),
            entry(WarmupSpec.UntilSteady.class, "until"));

    private static final ClassValue<String> KEYS = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> form) {
            String name = form.getSimpleName()
                    .replaceAll("Spec$", "")
                    .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                    .toLowerCase(Locale.ROOT);
            return FORMS.getOrDefault(form, name);
        }
    };

    private static final Map<Class<?>, Object> ABSENT = Map.ofEntries(
            entry(int.class, 0),
            entry(long.class, 0L),
            entry(double.class, 0.0),
            entry(boolean.class, false),
            entry(Duration.class, Duration.ZERO),
            entry(ByteSize.class, new ByteSize(0)),
            entry(Ratio.class, new Ratio(0)),
            entry(Rate.class, Rate.of(0)));

    private final Scope top;
    private final PlacedSpec.Kubernetes pods;
    private final PlacedSpec otherwise;
    private PlacedSpec besideBrokers = new PlacedSpec.Here();
    private List<String> topics = List.of();

    Binder(Tree.Section tree) {
        this.top = new Scope(tree, Keys.ROOT, null);
        this.pods = bind(
                PlacedSpec.Kubernetes.class, top.below("kubernetes"), "", Map.of("spread", PlacedSpec.Spread.EVEN));
        this.otherwise = placed(top, new PlacedSpec.Here());
    }

    private record Scope(
            Tree.Section part, KeyDescription key, @Nullable Scope around) {
        Scope below(String name) {
            return new Scope(part.section(name), Keys.below(key, name), new Scope(part, key, null));
        }

        Scope alone() {
            return new Scope(part, key, null);
        }

        @Nullable Scope holding(String name) {
            if (Keys.below(key).containsKey(name)) {
                return this;
            }
            return around == null ? null : around.holding(name);
        }

        /** Returns the value of a key; null also for a section without keys, which may be written null. */
        @Nullable Tree tree(String name) {
            Tree tree = part.entries().get(name);
            boolean empty = tree instanceof Tree.Text && Keys.below(key, name).type() == ScalarType.NONE;
            return empty ? null : tree;
        }
    }

    <R extends Record> R bind(Class<R> type, Map<String, ?> given) {
        return bind(type, top, "", given);
    }

    Variant variant(Map<String, ?> given) {
        Map<String, Object> known = new LinkedHashMap<>(given);
        ClusterSpec cluster = bind(ClusterSpec.class, top.below("cluster"), "", Map.of());
        BridgeSpec bridge = (BridgeSpec) family(BridgeSpec.class, top, "bridge");
        topics = top.part().section("topics").entries().keySet().stream()
                .filter(topic -> !topic.equals(bridge.deadLetterTopic()))
                .sorted()
                .toList();
        besideBrokers = cluster.placed() instanceof PlacedSpec.Kubernetes brokers
                ? RecordKeys.with(brokers, Map.of("spread", PlacedSpec.Spread.BESIDE_BROKERS))
                : cluster.placed();
        known.put("cluster", cluster);
        known.put("bridge", bridge);
        return bind(Variant.class, known);
    }

    /** @param form the key that selects this record and contains the component without a key */
    private <R> R bind(Class<R> type, Scope scope, String form, Map<String, ?> given) {
        List<RecordKeys.Component> components = RecordKeys.of(type);
        Object[] values = new Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            RecordKeys.Component component = components.get(i);
            Object known = given.get(component.name());
            values[i] = known == null ? component(type, component, scope, form) : known;
        }
        return RecordKeys.make(type, values);
    }

    private Object component(Class<?> record, RecordKeys.Component component, Scope scope, String form) {
        Scope holding = scope.holding(component.key());
        Scope there = holding == null ? scope : holding;
        if (component.key().equals("placed") && DisturbanceSpec.BesideBrokers.class.isAssignableFrom(record)) {
            return placed(there, besideBrokers);
        }
        Object own = own(record.getSimpleName() + "." + component.name(), there);
        if (own != null) {
            return own;
        }
        if (component.key().isEmpty()) {
            return bind(raw(component.type()), scope, form, Map.of());
        }
        return holding == null
                ? value(component.type(), scope, form)
                : value(component.type(), holding, component.key());
    }

    private Object value(Type type, Scope scope, String key) {
        Class<?> raw = raw(type);
        if (raw == List.class) {
            return items(argument(type, 0), scope, key);
        }
        if (raw == Set.class) {
            return new LinkedHashSet<>(items(argument(type, 0), scope, key));
        }
        if (Map.class.isAssignableFrom(raw)) {
            return named(argument(type, 1), scope, key, raw == Map.class ? new LinkedHashMap<>() : new TreeMap<>());
        }
        if (!Features.forms(raw).isEmpty()) {
            return family(raw, scope, key);
        }
        boolean section = raw.isRecord() && !ABSENT.containsKey(raw) && !(scope.tree(key) instanceof Tree.Text);
        return section
                ? bind(raw, scope.below(key), "", Map.of())
                : scalar(raw, Keys.below(scope.key(), key).type(), scope.part().text(key));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an enum class whose name is known only at run time
    private static Object scalar(Class<?> type, ScalarType read, String text) {
        if (type == String.class) {
            return text;
        }
        if (type == Path.class) {
            return Path.of(text);
        }
        if (type.isEnum()) {
            return text.isEmpty() ? type.getEnumConstants()[0] : EnumNames.constant(text, type.asSubclass(Enum.class));
        }
        return text.isEmpty() && ABSENT.containsKey(type) ? ABSENT.get(type) : read.read(text);
    }

    private List<Object> items(Type type, Scope scope, String key) {
        KeyDescription described = Keys.below(scope.key(), key);
        List<Object> items = new ArrayList<>();
        if (scope.tree(key) instanceof Tree.Section) {
            items.add(value(type, scope, key));
        } else if (scope.part().items(key).stream().anyMatch(Tree.Section.class::isInstance)) {
            for (Tree.Section section : scope.part().sections(key)) {
                Scope item = new Scope(section, described, null);
                boolean plain = Features.forms(raw(type)).isEmpty();
                items.add(plain ? bind(raw(type), item, "", Map.of()) : form(raw(type), item));
            }
        } else if (scope.tree(key) != null) {
            for (String text : scope.part().texts(key)) {
                Object item = scalar(raw(type), described.type(), text);
                items.addAll(item instanceof List<?> several ? several : List.of(item));
            }
        }
        return items;
    }

    private Map<String, Object> named(Type type, Scope scope, String key, Map<String, Object> named) {
        Scope names = scope.below(key).alone();
        if (names.key().free()) {
            scope.part()
                    .properties(key)
                    .forEach((name, text) ->
                            named.put(name, scalar(raw(type), names.key().of(), text)));
        } else {
            names.part().entries().keySet().forEach(name -> named.put(name, value(type, names, name)));
        }
        return named;
    }

    private Object family(Class<?> family, Scope scope, String key) {
        if (family == PlacedSpec.class) {
            return placed(scope, otherwise);
        }
        if (!(scope.tree(key) instanceof Tree.Text text)) {
            return form(family, scope.below(key).alone());
        }
        Object read = Keys.below(scope.key(), key).type().read(text.text());
        if (family.isInstance(read)) {
            return read;
        }
        for (Class<?> form : Features.forms(family)) {
            if (key(form).equals(text.text())) {
                return bind(form, scope.below(key).alone(), "", Map.of());
            }
        }
        throw new IllegalStateException("no " + family.getSimpleName() + " is written '" + text.text() + "'");
    }

    /**
     * Makes a record of a sealed family: the last form whose key is present. For example, a warm-up with {@code rate}
     * also has {@code for}. The values of the form are next to the key if the form has a component with that key. If
     * not, they are below the key. A section without a form's key becomes the first form.
     */
    private Object form(Class<?> family, Scope scope) {
        Class<?> found = null;
        for (Class<?> form : Features.forms(family)) {
            boolean named = !RecordKeys.of(form).isEmpty() && scope.part().has(key(form));
            if (named || (found == null && key(form).isEmpty())) {
                found = form;
            }
        }
        if (found == null && family == DisturbanceSpec.class) {
            return outage(scope);
        }
        if (found == null) {
            found = Features.forms(family).get(0);
        }
        String key = key(found);
        if (scope.tree(key) instanceof Tree.Text text) {
            Object read = Keys.below(scope.key(), key).type().read(text.text());
            if (found.isInstance(read)) {
                return read;
            }
        }
        boolean beside = RecordKeys.of(found).stream()
                .anyMatch(component -> component.key().equals(key));
        boolean below = !beside && scope.part().isSection(key);
        return bind(found, below ? scope.below(key) : scope, key, Map.of());
    }

    private DisturbanceSpec outage(Scope scope) {
        for (DisturbanceSpec.Outage.Kind kind : DisturbanceSpec.Outage.Kind.values()) {
            String word = EnumNames.of(kind);
            if (scope.part().has(word)) {
                return bind(DisturbanceSpec.Outage.class, scope, word, Map.of("kind", kind));
            }
        }
        throw new IllegalStateException(scope.key().path() + " has no form");
    }

    static String key(Class<?> form) {
        return KEYS.get(form);
    }

    private @Nullable Object own(String component, Scope scope) {
        Tree.Section part = scope.part();
        return switch (component) {
            case "Variant.warmup" -> part.isSection("warmup") ? null : warmup(part.text("warmup"));
            case "Variant.measure" ->
                part.text("measure").isEmpty() ? null : new MeasureSpec.For(part.duration("measure"));
            case "ClusterSpec.brokers" ->
                part.sections("brokers").isEmpty()
                        ? Collections.nCopies(part.count("brokers"), ClusterSpec.Broker.PLAIN)
                        : null;
            case "ClusterSpec.dedicatedControllers" ->
                part.text("controllers").equals("combined") ? 0 : part.count("controllers");
            case "ClusterSpec.address" -> ClusterSpec.LOOPBACK;
            case "ClusterSpec.placed" -> part.has("bootstrap") ? new PlacedSpec.Here() : null;
            case "LoadSpec.topics" -> part.text("topics").equals("all") ? topics : null;
            case "Stream.commit" -> part.has("commit") ? null : LoadSpec.Commit.EACH_BATCH;
            case "Producers.engine" -> engine(part, "send");
            case "Consumers.engine" -> engine(part, "receive");
            case "Consumers.group" -> {
                String group = part.text("group");
                yield part.isSection("group") ? null : GroupSpec.classic(group.equals("none") ? "" : group);
            }
            case "GroupSpec.acknowledge" -> part.has("acknowledge") ? null : GroupSpec.Acknowledge.IMPLICIT;
            case "Consumers.threads" ->
                part.isSection("threads") ? null : new ThreadsSpec(part.count("threads"), ThreadsSpec.By.PARTITION);
            case "Consumers.work" -> part.isSection("work") ? null : WorkSpec.of(part.duration("work"));
            case "LoadSpec.parts" ->
                Features.forms(LoadPart.class).stream()
                        .map(form -> bind(form, scope.below(key(form)), "", Map.of()))
                        .toList();
            case "Steps.stopWhenBroken" -> part.text("stop").equals("broken");
            case "Generated.size" ->
                part.isSection("size") ? ValueSyntax.mix(part.section("size").entries()) : null;
            case "RunSpec.command" ->
                part.text("run").isEmpty() ? part.texts("run") : List.of("sh", "-c", part.text("run"));
            case "Experiment.published" -> published(part.section("published"));
            case "Experiment.extras" -> extras(scope);
            case "Experiment.searches" -> searches(scope.below("search"));
            default -> null;
        };
    }

    private static WarmupSpec warmup(String text) {
        Duration length = text.equals("none") ? Duration.ZERO : Units.duration(text);
        return length.isZero() ? new WarmupSpec.None() : new WarmupSpec.For(length);
    }

    private static LoadSpec.Engine engine(Tree.Section part, String side) {
        String word = part.isSection("engine") ? part.section("engine").text(side) : part.text("engine");
        return Stream.of(LoadSpec.Engine.CLIENT, LoadSpec.Engine.WIRE)
                .filter(engine -> EnumNames.of(engine).equals(word))
                .findFirst()
                .orElse(LoadSpec.Engine.OTHER);
    }

    /** The placement of a section. {@code otherwise} is the placement without the key {@code placed}. */
    private PlacedSpec placed(Scope scope, PlacedSpec otherwise) {
        Tree.Section part = scope.part();
        PlacedSpec placed = otherwise;
        if (part.isSection("placed")) {
            placed = bind(PlacedSpec.Hosts.class, scope.below("placed"), "", Map.of());
        } else if (part.has("placed")) {
            placed = part.text("placed").equals("kubernetes") ? pods : new PlacedSpec.Here();
        }
        if (placed.inPods() && (part.has("apart") || part.has("beside"))) {
            PlacedSpec.Spread spread = part.has("apart") ? PlacedSpec.Spread.APART : PlacedSpec.Spread.BESIDE_BROKERS;
            return RecordKeys.with(placed, Map.of("spread", spread));
        }
        return placed;
    }

    private static List<CompareSpec.Published> published(Tree.Section sources) {
        List<CompareSpec.Published> published = new ArrayList<>();
        sources.entries().keySet().forEach(source -> {
            Tree.Section pairs = sources.section(source);
            pairs.entries().keySet().forEach(pair -> {
                CompareSpec.Over over = (CompareSpec.Over) ValueSyntax.comparison(pair);
                Tree.Section stats = pairs.section(pair);
                stats.entries().keySet().stream()
                        .filter(stat -> !stats.text(stat).isEmpty())
                        .forEach(stat -> published.add(
                                new CompareSpec.Published(source, over, stat, Units.decimal(stats.text(stat)))));
            });
        });
        return published;
    }

    private List<ExtraSpec> extras(Scope scope) {
        List<ExtraSpec> extras = new ArrayList<>();
        for (Class<?> form : Features.forms(ExtraSpec.class)) {
            if (scope.part().isSection(key(form))) {
                extras.add((ExtraSpec) bind(form, scope.below(key(form)), "", Map.of()));
            }
        }
        return extras;
    }

    private List<SearchSpec> searches(Scope scope) {
        List<SearchSpec> searches = new ArrayList<>();
        for (Class<? extends SearchSpec> form : List.of(SearchSpec.Capacity.class, SearchSpec.BreakingPoint.class)) {
            if (scope.part().has(key(form))) {
                searches.add((SearchSpec) bind(form, scope.below(key(form)), "", Map.of()));
            }
        }
        for (SearchKind kind : Features.each(SearchKind.class)) {
            if (scope.part().has(kind.name())) {
                searches.add((SearchSpec) bind(kind.asked(), scope.below(kind.name()), "", Map.of()));
            }
        }
        return searches;
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
