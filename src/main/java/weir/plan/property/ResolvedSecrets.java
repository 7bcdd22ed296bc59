package weir.plan.property;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.plan.RecordKeys;

/**
 * The secrets that come from references. Weir never shows the secrets.
 *
 * <p>Weir hides the whole values of the properties {@code names}. In texts of other programs, such as logs and
 * exceptions, Weir hides each secret of at least four characters. A shorter secret would match unrelated words.
 *
 * @param texts the secrets, longest first, so that none is hidden only in part
 */
public record ResolvedSecrets(List<String> names, List<String> texts) {
    public static final ResolvedSecrets NONE = new ResolvedSecrets(List.of(), List.of());

    private static final int SHORTEST = 4;
    private static final Pattern USER = Pattern.compile("[^\\s:/.]+:([^\\s:/]{6,})");

    private static final String SHOWN = Matcher.quoteReplacement(Redact.HIDDEN);

    public ResolvedSecrets {
        names = List.copyOf(new TreeSet<>(names));
        texts = texts.stream()
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns these values as secrets, with their lines and the secrets that they mark. */
    public static ResolvedSecrets from(Collection<String> names, Collection<String> resolved) {
        return new ResolvedSecrets(List.copyOf(names), parts(resolved));
    }

    private static List<String> parts(Collection<String> resolved) {
        Set<String> parts = new LinkedHashSet<>();
        for (String text : resolved) {
            List<String> within = new ArrayList<>(Redact.markedSecrets(text));
            text.lines().map(String::strip).forEach(within::add);
            within.removeIf(part -> part.length() < SHORTEST);
            parts.add(text.strip());
            parts.addAll(within);
            Matcher user = USER.matcher(text);
            if (user.matches()) {
                parts.add(user.group(1));
            }
        }
        parts.removeIf(String::isEmpty);
        return List.copyOf(parts);
    }

    public static ResolvedSecrets named(Map<String, String> properties) {
        Set<String> names = new TreeSet<>();
        Set<String> texts = new TreeSet<>();
        properties.forEach((name, value) -> {
            boolean hidden = !value.isEmpty() && Redact.hides(name, value);
            if (hidden) {
                names.add(name);
            }
            if (hidden && Redact.searchable(name, value)) {
                texts.add(value);
            }
        });
        return from(names, texts);
    }

    /** The secrets in plain text in a client's properties. */
    public static ResolvedSecrets spelledOut(Map<String, String> properties) {
        Map<String, String> literal = new TreeMap<>(properties);
        literal.values().removeIf(value -> value.contains("${"));
        return named(literal);
    }

    public ResolvedSecrets plus(ResolvedSecrets other) {
        List<String> allNames = new ArrayList<>(names);
        allNames.addAll(other.names);
        List<String> allTexts = new ArrayList<>(texts);
        allTexts.addAll(other.texts);
        return new ResolvedSecrets(allNames, allTexts);
    }

    public Property shown(Property property) {
        boolean hidden = names.contains(property.name());
        String asked = hidden && !property.requested().isEmpty() ? Property.HIDDEN : values(property.requested());
        return RecordKeys.with(
                property,
                Map.of(
                        "requested", asked,
                        "effective", hidden ? Property.HIDDEN : values(property.effective()),
                        "remark", hidden ? "" : values(property.remark())));
    }

    public <T> SortedMap<String, T> shown(SortedMap<String, T> named) {
        SortedMap<String, T> shown = new TreeMap<>();
        named.forEach((name, value) -> shown.put(values(name), value));
        return shown;
    }

    /** Hides the secrets in a text of another program, such as an exception's message. */
    public String text(String text) {
        return Redact.text(plan(text));
    }

    /** Hides the secrets in a text of the user, such as an experiment file. References stay visible. */
    public String plan(String text) {
        String hidden = Redact.users(values(text));
        if (!names.isEmpty()) {
            String any = names.stream().map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")"));
            hidden = Pattern.compile("((?<![\\w.-])" + any + "[\"']?\\s*[=:]\\s*)" + Redact.VALUE)
                    .matcher(hidden)
                    .replaceAll("$1" + SHOWN);
            hidden = Pattern.compile("(Invalid value ).*( for configuration " + any + "(?![\\w.-]*\\w))")
                    .matcher(hidden)
                    .replaceAll("$1" + SHOWN + "$2");
        }
        return hidden;
    }

    public Optional<String> remark() {
        return texts.stream().anyMatch(text -> text.length() < SHORTEST)
                ? Optional.of("a secret has fewer than " + SHORTEST + " characters: Weir hides the secret only as the"
                        + " value of its property, so other places in logs and messages may show the secret")
                : Optional.empty();
    }

    /** Hides the secrets in a text of Weir, where secrets are only values. */
    public String values(String text) {
        String hidden = text;
        for (String secret : texts) {
            if (secret.length() >= SHORTEST) {
                hidden = hidden.replace(secret, Redact.HIDDEN);
            }
        }
        return hidden;
    }

    // The generated text would contain the secrets.
    @Override
    public String toString() {
        return "secrets of " + names;
    }
}
