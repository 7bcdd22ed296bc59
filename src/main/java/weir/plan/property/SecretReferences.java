package weir.plan.property;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.Problem;
import weir.plan.Problems;

/**
 * A replacement of secret references, such as {@code ${env:NAME}}, {@code ${file:PATH:KEY}} and {@code
 * ${secret:NAME/KEY}}, by their values.
 */
public final class SecretReferences {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file|secret):([^}]*)}");
    /** A reference to an entry of a client property file. No real provider has this name. */
    private static final Pattern ENTRY = Pattern.compile("^\\$\\{weir-entry:(.*):([^:]*)}$");

    private static final Pattern SECRET =
            Pattern.compile("([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)/([A-Za-z0-9_-][A-Za-z0-9._-]{0,252})");
    /** The folder in a pod where Kubernetes mounts Secrets, with one file for each key. */
    public static final Path MOUNTED = Path.of("/etc/weir/secrets");

    private static final String PROVIDERS = "config.providers";

    private SecretReferences() {}

    private interface Lookup {
        String text(MatchResult reference) throws IOException;
    }

    /** Makes a reference to an entry of a client property file, independent of the file's providers. */
    public static String toEntry(Path file, String name) {
        return "${weir-entry:" + file.toAbsolutePath().normalize() + ":" + name + "}";
    }

    /**
     * Replaces the references in the properties by their values. References of the providers in {@code
     * config.providers} stay for Kafka.
     *
     * @throws Problems with every reference that has no value
     */
    public static SortedMap<String, String> resolve(SortedMap<String, String> properties) {
        return resolve(properties, System.getenv());
    }

    static SortedMap<String, String> resolve(SortedMap<String, String> properties, Map<String, String> environment) {
        return resolve(properties, environment, (name, text) -> {});
    }

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
        names.forEach(name -> {
            String whole = resolved.getOrDefault(name, "");
            boolean chosen = !ENTRY.matcher(properties.getOrDefault(name, "")).matches();
            if (chosen || Redact.searchable(name, whole)) {
                texts.add(whole);
            }
        });
        return ResolvedSecrets.from(names, texts);
    }

    private static SortedMap<String, String> resolve(
            SortedMap<String, String> properties, Map<String, String> environment, BiConsumer<String, String> found) {
        List<String> kafkas =
                Arrays.asList(properties.getOrDefault(PROVIDERS, "").split("\\s*,\\s*"));
        SortedMap<String, String> resolved = new TreeMap<>();
        List<Problem> problems = new ArrayList<>();
        properties.forEach((name, value) -> {
            Consumer<String> wrong = message -> problems.add(Problem.of(name, message));
            String read = replaced(ENTRY, value, wrong, entry -> {
                found.accept(name, "");
                return entry(Path.of(entry.group(1)), entry.group(2));
            });
            resolved.put(name, replaced(REFERENCE, read, wrong, reference -> {
                if (kafkas.contains(reference.group(1))) {
                    return reference.group();
                }
                String place = reference.group(2);
                String text = switch (reference.group(1)) {
                    case "env" -> variable(place, environment);
                    case "secret" -> mounted(place);
                    default -> content(place, environment);
                };
                found.accept(name, text);
                return text;
            }));
        });
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        return resolved;
    }

    private static String replaced(Pattern pattern, String value, Consumer<String> wrong, Lookup lookup) {
        return pattern.matcher(value).replaceAll(reference -> {
            try {
                return Matcher.quoteReplacement(lookup.text(reference));
            } catch (IOException | IllegalArgumentException e) {
                wrong.accept(String.valueOf(e.getMessage()));
                return "";
            }
        });
    }

    public static SortedMap<String, SortedSet<String>> mounted(Collection<String> texts) {
        SortedMap<String, SortedSet<String>> secrets = new TreeMap<>();
        for (String text : texts) {
            REFERENCE
                    .matcher(text)
                    .results()
                    .filter(reference -> reference.group(1).equals("secret"))
                    .map(reference -> SECRET.matcher(reference.group(2)))
                    .filter(Matcher::matches)
                    .forEach(secret -> secrets.computeIfAbsent(secret.group(1), name -> new TreeSet<>())
                            .add(secret.group(2)));
        }
        return secrets;
    }

    private static String mounted(String reference) throws IOException {
        Matcher secret = SECRET.matcher(reference);
        if (!secret.matches()) {
            throw new IllegalArgumentException(
                    "'" + reference + "' is not a reference to an entry of a Secret; write ${secret:NAME/KEY}");
        }
        Path file = MOUNTED.resolve(secret.group(1)).resolve(secret.group(2));
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "the Secret '" + reference + "' exists only in a pod of Kubernetes that mounts this Secret");
        }
        return Files.readString(file).strip();
    }

    private static String variable(String name, Map<String, String> environment) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the environment variable '" + name + "' is not set");
        }
        return value;
    }

    private static String content(String reference, Map<String, String> environment) throws IOException {
        Path whole = Path.of(reference);
        if (Files.isRegularFile(whole)) {
            return ClientFile.text(whole).strip();
        }
        int colon = reference.lastIndexOf(':');
        Path file = Path.of(colon < 0 ? reference : reference.substring(0, colon));
        Matcher m = Pattern.compile("\\$\\{env:([^}]*)}").matcher(entry(file, reference.substring(colon + 1)));
        return m.replaceAll(found -> Matcher.quoteReplacement(variable(found.group(1), environment)));
    }

    private static String entry(Path file, String key) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("the file '" + file + "' does not exist");
        }
        String value = ClientFile.load(file).getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("the file '" + file + "' has no '" + key + "'");
        }
        return value;
    }
}
