package weir.report.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.judge.profile.ProfileDifference;
import weir.judge.profile.StackTree;
import weir.plan.CompareSpec;
import weir.plan.ProfileSpec;
import weir.plan.syntax.CompareLines;
import weir.results.profile.ProfileResult;

/** The difference between two variants in one kind of process; all processes of a kind are taken together. */
record ShownDifference(
        ShownProfile before, ShownProfile after, String role, ProfileSpec.Event event, ProfileDifference difference) {
    /** The differences between the pairs that a run compares, where both were profiled. */
    static List<ShownDifference> of(List<String> compared, List<ShownProfile> profiles) {
        List<ShownDifference> all = new ArrayList<>();
        for (String line : compared) {
            if (CompareLines.parse(line) instanceof CompareSpec.Over over) {
                between(of(over.b(), profiles), of(over.a(), profiles), all);
            }
        }
        return all;
    }

    private static List<ShownProfile> of(String variant, List<ShownProfile> profiles) {
        return profiles.stream()
                .filter(profile -> profile.variant().equals(variant) && !profile.empty())
                .toList();
    }

    private static void between(List<ShownProfile> before, List<ShownProfile> after, List<ShownDifference> all) {
        List<List<ShownProfile>> groups = groups(before);
        for (List<ShownProfile> first : groups) {
            ShownProfile one = first.get(0);
            List<ShownProfile> second =
                    after.stream().filter(other -> alike(one, other)).toList();
            boolean counted = one.result().event() == ProfileSpec.Event.WALL
                    || (carried(one) && second.stream().allMatch(ShownDifference::carried));
            if (!second.isEmpty() && counted) {
                all.add(together(first, second));
            }
        }
    }

    private static boolean carried(ShownProfile profile) {
        return profile.trial().contents().records() > 0;
    }

    private static List<List<ShownProfile>> groups(List<ShownProfile> profiles) {
        List<List<ShownProfile>> groups = new ArrayList<>();
        for (ShownProfile profile : profiles) {
            if (groups.stream().noneMatch(group -> alike(group.get(0), profile))) {
                groups.add(
                        profiles.stream().filter(other -> alike(other, profile)).toList());
            }
        }
        return groups;
    }

    /** Two tools do not see the same, so that what one sees and the other does not would look like a difference. */
    private static boolean alike(ShownProfile one, ShownProfile other) {
        ProfileResult first = one.result();
        ProfileResult second = other.result();
        return one.role().equals(other.role())
                && first.event() == second.event()
                && first.tool().equals(second.tool())
                && first.engine().equals(second.engine())
                && first.perUnit() == second.perUnit();
    }

    private static ShownDifference together(List<ShownProfile> first, List<ShownProfile> second) {
        StackTree tree = new StackTree();
        first.forEach(profile -> profile.trial().stacks(profile.result(), tree::add));
        second.forEach(profile -> profile.trial().stacks(profile.result(), tree::addSecond));
        ShownProfile one = first.get(0);
        return new ShownDifference(
                one,
                second.get(0),
                one.role(),
                one.result().event(),
                new ProfileDifference(tree, ShownProfile.scale(first), ShownProfile.scale(second)));
    }

    String page() {
        return String.format(
                Locale.ROOT, "%02d-over-%02d-%s-%s.html", after.number(), before.number(), role, event.word());
    }

    String title() {
        return after.variant() + " / " + before.variant() + ", " + role + ", " + event.word();
    }
}
