package weir.plan.read;

import java.util.List;
import java.util.Map;
import weir.plan.syntax.Findings;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** Checks a variant's tree as a whole: which keys exclude, need or replace each other. */
final class VariantForm {
    private final Findings findings;
    private boolean whole = true;

    VariantForm(Findings findings) {
        this.findings = findings;
    }

    /** True when the tree holds together; if not, that is found, unless it follows from what was found before. */
    boolean check(Tree.Section tree) {
        check(Keys.ROOT, "", tree);
        return whole;
    }

    private void check(KeyDescription key, String path, Tree tree) {
        if (tree instanceof Tree.Items items) {
            items.items().stream().filter(Tree.Section.class::isInstance).forEach(item -> check(key, path, item));
        }
        if (!(tree instanceof Tree.Section section)) {
            return;
        }
        forms(key, path, section);
        for (Map.Entry<String, KeyDescription> child : Keys.below(key).entrySet()) {
            beside(child.getKey(), child.getValue(), path, section);
        }
        section.entries()
                .forEach((name, value) ->
                        check(Keys.below(key, name), path.isEmpty() ? name : path + "." + name, value));
    }

    private void forms(KeyDescription key, String path, Tree.Section section) {
        List<String> forms = key.forms();
        List<String> present = forms.stream().filter(section::has).toList();
        if (!forms.isEmpty() && present.isEmpty()) {
            wrong(
                    section.origin(),
                    path,
                    forms.size() == 1 ? "needs '" + forms.get(0) + "'" : "needs one of: " + String.join(", ", forms));
        }
        if (present.size() > 1) {
            wrong(
                    section.place(present.get(1)),
                    path,
                    "'" + present.get(0) + "' and '" + present.get(1) + "' exclude each other");
        }
    }

    private void beside(String name, KeyDescription key, String path, Tree.Section section) {
        if (section.has(name)) {
            if (!key.with().isEmpty() && !section.has(key.with())) {
                wrong(section.place(name), path, "'" + name + "' is only taken beside '" + key.with() + "'");
            }
            if (!key.without().isEmpty() && section.has(key.without())) {
                wrong(section.place(name), path, "'" + name + "' is not taken beside '" + key.without() + "'");
            }
        } else if (key.required()) {
            wrong(section.origin(), path, "needs '" + name + "', such as " + name + ": " + key.example());
        }
    }

    /** Reports a mistake below, which may be all that is missing here. */
    private void wrong(Origin origin, String path, String message) {
        whole = false;
        if (!findings.doubted(path)) {
            findings.add(origin, path, message);
        }
    }
}
