package weir.plan.property;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.Problem;
import weir.plan.Problems;

/** Puts values in the place of secret references such as {@code ${env:NAME}} and {@code ${file:PATH:KEY}}. */
public final class SecretReferences {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^}]*)}");
    private static final String PROVIDERS = "config.providers";

    private SecretReferences() {}

    /**
     * The same properties with every reference replaced by what it points to. References of a provider that
     * {@code config.providers} names are Kafka's, and stay.
     *
     * @throws Problems naming every reference that leads nowhere
     */
    public static SortedMap<String, String> resolve(SortedMap<String, String> properties) {
        return resolve(properties, System.getenv());
    }

    static SortedMap<String, String> resolve(SortedMap<String, String> properties, Map<String, String> environment) {
        return resolve(properties, environment, (name, text) -> {});
    }

    /** The secrets that the references in these properties lead to; they are never shown. */
    public static ResolvedSecrets in(SortedMap<String, String> properties) {
        return in(properties, System.getenv());
    }

    public static ResolvedSecrets in(SortedMap<String, String> properties, Map<String, String> environment) {
        Set<String> names = new TreeSet<>();
        Set<String> texts = new TreeSet<>();
        SortedMap<String, String> resolved = resolve(properties, environment, (name, text) -> {
            names.add(name);
            texts.add(text);
        });
        names.forEach(name -> texts.add(resolved.getOrDefault(name, "")));
        return ResolvedSecrets.from(names, texts);
    }

    /** Tells {@code found} each reference by the name of its property and the text that it leads to. */
    private static SortedMap<String, String> resolve(
            SortedMap<String, String> properties, Map<String, String> environment, BiConsumer<String, String> found) {
        List<String> kafkas =
                Arrays.asList(properties.getOrDefault(PROVIDERS, "").split("\\s*,\\s*"));
        SortedMap<String, String> resolved = new TreeMap<>();
        List<Problem> problems = new ArrayList<>();
        properties.forEach((name, value) -> {
            Matcher m = REFERENCE.matcher(value);
            resolved.put(name, m.replaceAll(reference -> {
                if (kafkas.contains(reference.group(1))) {
                    return Matcher.quoteReplacement(reference.group());
                }
                try {
                    boolean env = reference.group(1).equals("env");
                    String text =
                            env ? variable(reference.group(2), environment) : content(reference.group(2), environment);
                    found.accept(name, text);
                    return Matcher.quoteReplacement(text);
                } catch (IOException | IllegalArgumentException e) {
                    problems.add(Problem.of(name, String.valueOf(e.getMessage())));
                    return "";
                }
            }));
        });
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        return resolved;
    }

    private static String variable(String name, Map<String, String> environment) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the environment variable '" + name + "' is not set");
        }
        return value;
    }

    /** The whole file, or one key of a properties file, whose value may itself name environment variables. */
    private static String content(String reference, Map<String, String> environment) throws IOException {
        Path whole = Path.of(reference);
        if (Files.isRegularFile(whole)) {
            return Files.readString(whole).strip();
        }
        int colon = reference.lastIndexOf(':');
        Path file = Path.of(colon < 0 ? reference : reference.substring(0, colon));
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("the file '" + file + "' is not there");
        }
        java.util.Properties entries = new java.util.Properties();
        entries.load(new StringReader(Files.readString(file)));
        String key = reference.substring(colon + 1);
        String value = entries.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("the file '" + file + "' has no '" + key + "'");
        }
        Matcher m = Pattern.compile("\\$\\{env:([^}]*)}").matcher(value);
        return m.replaceAll(found -> Matcher.quoteReplacement(variable(found.group(1), environment)));
    }
}
