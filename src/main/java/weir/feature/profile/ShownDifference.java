package weir.feature.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import weir.plan.CompareSpec;
import weir.plan.syntax.ValueSyntax;

/**
 * The difference between the summed profiles of two variants in one kind of process. Weir reads the stacks only to show
 * them, so at most two profiles are in memory.
 */
record ShownDifference(List<ShownProfile> before, List<ShownProfile> after) {
    ShownDifference {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** {@code reasons} receives the reason for each missing difference. */
    static List<ShownDifference> of(List<String> compared, List<ShownProfile> profiles, Consumer<String> reasons) {
        List<ShownDifference> all = new ArrayList<>();
        for (String line : compared) {
            if (ValueSyntax.comparison(line) instanceof CompareSpec.Over over) {
                List<ShownProfile> before = of(over.b(), profiles);
                List<ShownProfile> after = of(over.a(), profiles);
                List<ShownProfile> both = before.isEmpty() || after.isEmpty() ? List.of() : both(before, after);
                both.stream()
                        .filter(kind -> like(kind, both).get(0).equals(kind))
                        .forEach(kind -> {
                            List<ShownProfile> one = like(kind, before);
                            List<ShownProfile> other = like(kind, after);
                            String lacking = one.isEmpty() || other.isEmpty()
                                    ? "no process of this kind was profiled in " + (one.isEmpty() ? over.b() : over.a())
                                    : lacking(one, other);
                            if (lacking.isEmpty()) {
                                all.add(new ShownDifference(one, other));
                            } else {
                                reasons.accept("no difference of " + line + " in " + kind.role() + ", " + kind.event()
                                        + ": " + lacking);
                            }
                        });
            }
        }
        return all;
    }

    private static List<ShownProfile> both(List<ShownProfile> before, List<ShownProfile> after) {
        return Stream.concat(before.stream(), after.stream()).toList();
    }

    private static List<ShownProfile> of(String variant, List<ShownProfile> profiles) {
        return profiles.stream()
                .filter(profile -> profile.variant().equals(variant))
                .toList();
    }

    private static List<ShownProfile> like(ShownProfile one, List<ShownProfile> profiles) {
        return profiles.stream()
                .filter(other -> other.role().equals(one.role())
                        && other.result().event() == one.result().event())
                .toList();
    }

    /** Returns the reason why the costs of both variants are not comparable; empty if they are comparable. */
    private static String lacking(List<ShownProfile> before, List<ShownProfile> after) {
        List<ShownProfile> both = both(before, after);
        if (!whole(before) || !whole(after)) {
            return "not all processes of this kind were profiled in both variants";
        }
        for (ShownProfile profile : both) {
            if (profile.tooShort()) {
                return profile.title() + " was profiled for too short a time ("
                        + ProfileCaveats.PROFILE_TOO_SHORT.word() + ")";
            }
        }
        // Two tools see different frames: a frame that only one tool sees would look like a difference.
        if (both.stream()
                        .map(profile ->
                                profile.result().tool() + profile.result().engine())
                        .distinct()
                        .count()
                > 1) {
            return "different tools or settings profiled the two variants";
        }
        if (!both.stream().allMatch(ShownProfile::costs)) {
            return "the cost of a record is unknown";
        }
        return both.stream().allMatch(ShownProfile::empty) ? "neither profile has samples" : "";
    }

    private static boolean whole(List<ShownProfile> profiles) {
        ShownProfile one = profiles.get(0);
        return one.trial().contents().asked().stream()
                .filter(process -> ShownProfile.role(process).equals(one.role()))
                .allMatch(process -> profiles.stream()
                        .anyMatch(profile -> profile.result().process().equals(process)));
    }

    ProfileDifference read(ShownProfile.Stacks stacks) {
        StackTree tree = new StackTree();
        before.forEach(profile -> stacks.read(profile, tree::add));
        after.forEach(profile -> stacks.read(profile, tree::addSecond));
        return new ProfileDifference(tree, ShownProfile.scale(before), ShownProfile.scale(after));
    }

    List<String> doubts() {
        return both(before, after).stream()
                .flatMap(profile -> profile.doubts().stream().map(doubt -> profile.variant() + ": " + doubt))
                .toList();
    }

    ShownProfile first() {
        return before.get(0);
    }

    ShownProfile second() {
        return after.get(0);
    }

    ProfileSpec.Event event() {
        return first().result().event();
    }

    String page() {
        return String.format(
                Locale.ROOT,
                "%02d-over-%02d-%s-%s.html",
                second().number(),
                first().number(),
                first().role(),
                event().word());
    }

    String title() {
        return second().variant() + " / " + first().variant() + ", " + first().role() + ", " + event().word();
    }
}
