package weir.probe.exporter;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One rule of a configuration of the JMX exporter, as its file has it.
 *
 * @param pattern found anywhere in {@code domain<key=value, key=value><>attribute: value}
 * @param attribute a part of every text in which the pattern is found
 * @param name with $1 for the first group; written in lower case, as all of these configurations say
 * @param labels names and values, both with groups
 * @param one the value of the series is 1
 */
record ExporterRule(
        Pattern pattern, String attribute, String name, SeriesType type, Map<String, String> labels, boolean one) {
    private static final Pattern ATTRIBUTE = Pattern.compile("(?:<>|\\+\\))([A-Za-z]+)$");

    ExporterRule {
        labels = new LinkedHashMap<>(labels);
    }

    /** The labels as a name, its value, a name, its value. */
    static ExporterRule rule(String pattern, String name, SeriesType type, String... labels) {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            all.put(labels[i], labels[i + 1]);
        }
        return new ExporterRule(
                Pattern.compile("^.*(?:" + pattern + ").*$"), attribute(pattern), name, type, all, false);
    }

    ExporterRule alwaysOne() {
        return new ExporterRule(pattern, attribute, name, type, labels, true);
    }

    /** The literal attribute at the end of most patterns; empty for others. To look for it costs less than the pattern. */
    private static String attribute(String pattern) {
        Matcher end = ATTRIBUTE.matcher(pattern);
        return end.find() ? end.group(1) : "";
    }

    /** Empty when this rule does not say anything of it. */
    Optional<ExporterName> name(String described) {
        if (!described.contains(attribute)) {
            return Optional.empty();
        }
        Matcher matcher = pattern.matcher(described);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        TreeMap<String, String> labelled = new TreeMap<>();
        labels.forEach((label, value) -> {
            String labelName = safe(matcher.replaceAll(label));
            String labelValue = matcher.replaceAll(value);
            if (!labelName.isEmpty() && !labelValue.isEmpty()) {
                labelled.put(labelName, labelValue);
            }
        });
        matcher.reset();
        String named = safe(matcher.replaceAll(name)).toLowerCase(Locale.ROOT);
        return Optional.of(new ExporterName(named, labelled, type, one));
    }

    /** Each run of characters that Prometheus does not know becomes one underscore, as does each run of underscores. */
    static String safe(String name) {
        String safe = name.replaceAll("[^a-zA-Z0-9:_]+|_+", "_").replaceAll("_+", "_");
        return !safe.isEmpty() && Character.isDigit(safe.charAt(0)) ? "_" + safe : safe;
    }
}
