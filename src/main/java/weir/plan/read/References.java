package weir.plan.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.plan.CompareSpec;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.ExtraSpec;
import weir.plan.Metric;
import weir.plan.NearestWord;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.plan.syntax.ValueSyntax;

/**
 * The check of the names in {@code compare}, {@code expect}, {@code search} and similar sections against the whole
 * file. For the variants that run, the check replaces the name of a grid by the names of its points. The check omits
 * parts about variants or sections that {@code --short} or {@code --only} removed.
 *
 * @param running the names of the variants that run, in order
 * @param leftOut receives the names of omitted parts
 */
record References(
        LayeredExperiment whole, LayeredExperiment run, List<String> running, Findings findings, List<String> leftOut) {
    private static final Set<String> PHASES = Set.of("fill", "warmup", "measure", "drain");

    Tree.Section resolve() {
        Tree.Section top = run.top();
        Tree.Section search = searches(top.section("search"));
        top = top.has("search") ? top.with("search", search) : top;
        for (Class<?> form : Features.forms(ExtraSpec.class)) {
            String extra = Binder.key(form);
            top = extra(extra, top.section(extra)) ? top : top.without(extra);
        }
        Tree compare = top.entries().get("compare");
        Tree.Items pairs = compare instanceof Tree.Items items ? compared(items) : firstAgainstOthers(top.origin());
        boolean none = compare instanceof Tree.Items items
                && !items.items().isEmpty()
                && pairs.items().isEmpty();
        top = top.with("compare", none ? firstAgainstOthers(top.origin()) : pairs);
        if (top.entries().get("expect") instanceof Tree.Items items) {
            top = top.with("expect", expected(items, search));
        }
        top = top.with("published", published(top.section("published")));
        if (top.section("fit").entries().get("variants") instanceof Tree.Items items) {
            Tree.Items left = points(items, "fit.variants");
            top = left.items().isEmpty()
                    ? top.without("fit")
                    : top.with("fit", top.section("fit").with("variants", left));
            if (left.items().isEmpty() && !items.items().isEmpty()) {
                leftOut.add("fit");
            }
        }
        return top;
    }

    private Tree.Items firstAgainstOthers(Origin origin) {
        List<Tree> written = new ArrayList<>();
        firstAgainst(run, running).forEach(pair -> written.add(new Tree.Text(pair, true, origin.in("default"))));
        return new Tree.Items(written, origin.in("default"));
    }

    private static List<String> firstAgainst(LayeredExperiment experiment, List<String> variants) {
        Map<String, Map<String, String>> settings = experiment.variants().stream()
                .collect(Collectors.toMap(Variant::name, Variant::values, (one, other) -> one));
        List<String> pairs = new ArrayList<>();
        for (int i = 1; i < variants.size(); i++) {
            String variant = variants.get(i);
            String first = partner(variant, variants);
            String against = Stream.concat(Stream.of(first), variants.subList(0, i).stream())
                    .filter(other -> alike(settings.get(variant), settings.get(other)))
                    .findFirst()
                    .orElse(first);
            pairs.add(variant + " / " + against);
        }
        return pairs;
    }

    private static String partner(String variant, List<String> variants) {
        String first = variants.get(0);
        int slash = first.indexOf('/');
        int point = variant.indexOf('/');
        String partner = slash < 0 || point < 0 ? first : first.substring(0, slash) + variant.substring(point);
        return variants.contains(partner) && !partner.equals(variant) ? partner : first;
    }

    /** True if at most one setting differs. */
    private static boolean alike(@Nullable Map<String, String> one, @Nullable Map<String, String> other) {
        return one != null
                && other != null
                && Stream.concat(
                                        one.keySet().stream()
                                                .filter(path -> !Objects.equals(one.get(path), other.get(path))),
                                        other.keySet().stream().filter(path -> !one.containsKey(path)))
                                .limit(2)
                                .count()
                        <= 1;
    }

    private Tree.Items compared(Tree.Items items) {
        List<Tree> written = new ArrayList<>();
        for (Tree item : items.items()) {
            CompareSpec compare = ValueSyntax.comparison(item.line());
            List<String> names = compare.names();
            if (known(names, item.origin(), "compare")) {
                List<List<String>> matches = matches(names);
                if (matches.isEmpty()) {
                    leftOut.add("compare " + item.line());
                }
                for (List<String> match : matches) {
                    written.add(new Tree.Text(CompareSpec.of(match).text(), true, item.origin()));
                }
            }
        }
        return new Tree.Items(written, items.origin());
    }

    private Tree.Section published(Tree.Section sources) {
        Tree.Section written = sources;
        for (String source : sources.entries().keySet()) {
            Tree.Section pairs = sources.section(source);
            Tree.Section running = Tree.Section.empty(pairs.origin());
            for (String pair : pairs.entries().keySet()) {
                Origin place = pairs.place(pair);
                if (compares(pair, place)) {
                    for (List<String> match :
                            matches(ValueSyntax.comparison(pair).names())) {
                        running = running.with(match.get(0) + " / " + match.get(1), pairs.section(pair));
                    }
                }
            }
            written = written.with(source, running);
        }
        return written;
    }

    private boolean compares(String pair, Origin place) {
        List<String> asked = asked();
        return asked.contains(pair)
                || wrong(
                        place,
                        "published",
                        "'" + pair + "' is not a comparison of this file" + NearestWord.hint(pair, asked)
                                + "; write the two variants as in 'compare': A / B");
    }

    private List<String> asked() {
        if (whole.top().entries().get("compare") instanceof Tree.Items items) {
            return items.items().stream()
                    .map(item -> ValueSyntax.comparison(item.line()))
                    .filter(CompareSpec.Over.class::isInstance)
                    .map(CompareSpec::text)
                    .toList();
        }
        return firstAgainst(whole, whole.names());
    }

    private Tree.Items points(Tree.Items items, String path) {
        List<Tree> points = new ArrayList<>();
        for (Tree item : items.items()) {
            if (known(List.of(item.line()), item.origin(), path)) {
                Experiment.points(item.line(), running)
                        .forEach(point -> points.add(new Tree.Text(point, true, item.origin())));
            }
        }
        return new Tree.Items(points, items.origin());
    }

    private Tree.Items expected(Tree.Items items, Tree.Section search) {
        List<Tree> resolved = new ArrayList<>();
        for (Tree item : items.items()) {
            Expectation expectation = ExpectationParser.parse(item.line());
            List<String> written = Stream.of(expectation.of(), expectation.over())
                    .filter(name -> !name.isEmpty())
                    .toList();
            List<String> names = written.stream().map(Variant::nameBefore).toList();
            boolean known = known(names, item.origin(), "expect");
            known = known && afterOperations(expectation.metric(), written, item.origin());
            known &= searched(expectation.metric(), item.origin(), "expect");
            known &= during(expectation.during(), item.origin());
            known &= ofPart(expectation, item.origin());
            if (known) {
                List<List<String>> matches = names.isEmpty() ? List.of(List.of()) : matches(names);
                matches = matches.stream()
                        .filter(match -> judged(expectation, match, search))
                        .toList();
                if (matches.isEmpty()) {
                    leftOut.add("expect " + item.line());
                }
                for (List<String> match : matches) {
                    List<String> meant = new ArrayList<>(List.of("", ""));
                    for (int i = 0; i < match.size(); i++) {
                        meant.set(i, match.get(i) + after(written.get(i)));
                    }
                    Expectation renamed = expectation.with(meant.get(0), meant.get(1));
                    resolved.add(new Tree.Text(renamed.text(), true, item.origin()));
                }
            }
        }
        return new Tree.Items(resolved, items.origin());
    }

    private static String after(String name) {
        return name.substring(Variant.nameBefore(name).length());
    }

    /** Checks names such as {@code base after upgrade}. */
    private boolean afterOperations(Metric metric, List<String> names, Origin origin) {
        Set<String> changed = Stream.of(whole, run)
                .flatMap(draft -> draft.variants().stream())
                .flatMap(variant -> variant.onChangedCluster().stream())
                .map(Variant::name)
                .collect(Collectors.toCollection(TreeSet::new));
        boolean known = true;
        for (String name : names) {
            String after = after(name);
            List<String> variants = changed.stream()
                    .filter(each -> after(each).equals(after))
                    .map(Variant::nameBefore)
                    .toList();
            if (!after.isEmpty() && !metric.name().equals("capacity")) {
                known = wrong(
                        origin, "expect", "only capacity has a value after operations; remove '" + after.strip() + "'");
            } else if (!after.isEmpty()
                    && Experiment.points(Variant.nameBefore(name), variants).isEmpty()) {
                known = wrong(origin, "expect", "there is no '" + name + "'" + NearestWord.hint(name, changed));
            }
        }
        return known;
    }

    private boolean judged(Expectation expectation, List<String> variants, Tree.Section search) {
        boolean searched = expectation.metric().kind() != Metric.Kind.SEARCH
                || search.has(expectation.metric().name());
        String during = expectation.during();
        Predicate<Variant> meant = variant -> (variants.isEmpty() ? running : variants).contains(variant.name());
        return searched
                && (during.isEmpty()
                        || PHASES.contains(during)
                        // Variants without the disturbance are judged during the same seconds.
                        || run.variants().stream()
                                .anyMatch(variant ->
                                        variant.during().containsKey(during) && running.contains(variant.name()))
                        || moments(run.variants().stream().filter(meant)).contains(during));
    }

    private boolean searched(Metric metric, Origin origin, String path) {
        String name = metric.name();
        return metric.kind() != Metric.Kind.SEARCH
                || whole.top().section("search").has(name)
                || run.top().section("search").has(name)
                || wrong(origin, path, "'" + name + "' is found by search." + name + ", which this file does not have");
    }

    private boolean during(String name, Origin origin) {
        Set<String> moments = moments(whole.variants().stream());
        moments.addAll(moments(run.variants().stream()));
        moments.addAll(PHASES);
        return name.isEmpty()
                || moments.contains(name)
                || wrong(
                        origin,
                        "expect",
                        "'" + name + "' is not a phase, step or disturbance here" + NearestWord.hint(name, moments));
    }

    private boolean ofPart(Expectation expectation, Origin origin) {
        boolean disturbance = Stream.of(whole, run)
                .flatMap(draft -> draft.variants().stream())
                .anyMatch(variant -> variant.during().containsKey(expectation.during()));
        Metric metric = expectation.metric();
        return !disturbance
                || metric.known() != Metric.Known.TRIAL
                || wrong(
                        origin,
                        "expect",
                        "'" + metric.name() + "' exists only for the whole measured phase, not for the disturbance "
                                + expectation.during());
    }

    private boolean wrong(Origin origin, String path, String message) {
        findings.add(origin, path, message);
        return false;
    }

    private static Set<String> moments(Stream<Variant> variants) {
        Set<String> moments = new TreeSet<>();
        variants.forEach(variant -> {
            moments.addAll(variant.load().rate().names());
            moments.addAll(variant.during().keySet());
        });
        return moments;
    }

    private static Set<String> steps(Stream<Variant> variants) {
        Set<String> steps = new TreeSet<>();
        variants.forEach(variant -> steps.addAll(variant.load().rate().names()));
        return steps;
    }

    private Stream<Variant> runningVariants() {
        return run.variants().stream().filter(variant -> running.contains(variant.name()));
    }

    private Tree.Section searches(Tree.Section search) {
        Tree.Section left = search;
        for (String form : search.entries().keySet()) {
            Tree.Section section = search.section(form);
            section.items("limits").forEach(limit -> limit(limit, "search." + form + ".limits"));
            Tree of = section.entries().getOrDefault("of", section);
            String name = section.text("of");
            boolean known = name.isEmpty()
                    || name.equals(Experiment.EACH)
                    || known(List.of(name), of.origin(), "search." + form + ".of");
            if (known && !searched(form, name)) {
                left = left.without(form);
                leftOut.add("search." + form + (name.isEmpty() ? "" : " of " + name));
            }
        }
        return left;
    }

    private boolean searched(String form, String of) {
        List<String> meant = Experiment.named(of, run.names());
        if (form.equals("breaking-point")) {
            List<String> stepped = run.variants().stream()
                    .filter(variant -> !variant.load().rate().steps().isEmpty())
                    .map(Variant::name)
                    .toList();
            // If no variant has steps, the checks of the search report it.
            return stepped.isEmpty()
                    || stepped.stream().anyMatch(name -> running.contains(name) && meant.contains(name));
        }
        return meant.stream().anyMatch(running::contains)
                || runningVariants()
                        .anyMatch(variant -> (form.equals("capacity")
                                        && variant.load().rate().ofCapacity())
                                || (of.isEmpty() && variant.rateOmitted()));
    }

    private void limit(Tree tree, String path) {
        Expectation limit = ExpectationParser.parse(tree.line());
        if (!limit.of().isEmpty() || !limit.during().isEmpty() || limit.metric().kind() == Metric.Kind.SEARCH) {
            findings.add(
                    tree.origin(),
                    path,
                    "must be a condition on each trial of the search; write it like response p99 < 50ms, without 'of'"
                            + " or 'during'");
        }
    }

    private boolean extra(String path, Tree.Section extra) {
        List<Tree> named = extra.items("variants");
        boolean known = true;
        for (Tree item : named) {
            known &= known(List.of(item.line()), item.origin(), path + ".variants");
        }
        if (known
                && !named.isEmpty()
                && named.stream()
                        .allMatch(
                                item -> Experiment.points(item.line(), running).isEmpty())) {
            leftOut.add(path + " of "
                    + String.join(", ", named.stream().map(Tree::line).toList()));
            return false;
        }
        if (extra.entries().get("during") instanceof Tree.Text step && findings.sound("load")) {
            Set<String> steps = steps(whole.variants().stream());
            steps.addAll(steps(run.variants().stream()));
            String asked = Units.rate(step.text()).text();
            if (steps.contains(asked) && !steps(runningVariants()).contains(asked)) {
                leftOut.add(path + " during " + step.text());
                return false;
            }
            if (!steps.contains(asked)) {
                findings.add(
                        step.origin(),
                        path + ".during",
                        "'" + step.text() + "' is not a step of this load" + NearestWord.hint(step.text(), steps));
            }
        }
        return true;
    }

    private boolean known(List<String> names, Origin origin, String path) {
        Set<String> all = new TreeSet<>(whole.names());
        all.addAll(run.names());
        boolean known = true;
        for (String name : names) {
            known &= !Experiment.points(name, all).isEmpty()
                    || wrong(origin, path, "there is no variant '" + name + "'" + NearestWord.hint(name, all));
        }
        return known;
    }

    /** The combinations of running variants for some names. A grid point is combined with the same point. */
    private List<List<String>> matches(List<String> names) {
        List<List<String>> points =
                names.stream().map(name -> Experiment.points(name, run.names())).toList();
        List<List<String>> matches = new ArrayList<>();
        if (points.stream().anyMatch(List::isEmpty)) {
            return matches;
        }
        List<String> widest = points.stream().max((a, b) -> a.size() - b.size()).orElseThrow();
        for (String point : widest) {
            String suffix = point.indexOf('/') < 0 ? "" : point.substring(point.indexOf('/'));
            List<String> match = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                List<String> candidates = points.get(i);
                String same = names.get(i) + suffix;
                if (candidates.size() == 1) {
                    match.add(candidates.get(0));
                } else if (candidates.contains(same)) {
                    match.add(same);
                }
            }
            if (match.size() == names.size() && running.containsAll(match)) {
                matches.add(match);
            }
        }
        return matches;
    }
}
