package weir.feature.publish;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.property.Property;
import weir.plan.property.Redact;
import weir.plan.property.ResolvedSecrets;
import weir.probe.MachineFacts;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.HostFacts;
import weir.results.value.TrialEnd;

/** The texts that replace the secrets of a run, and the names of its hosts, users and paths. */
final class Pseudonyms {
    /** Names that identify no machine and no person. */
    private static final Set<String> COMMON = Set.of(
            "localhost",
            "here",
            "kubernetes",
            "none",
            "all",
            "each",
            "auto",
            "default",
            "cluster",
            "true",
            "false",
            "root",
            "kafka",
            "weir",
            "loopback");

    /** The keys and properties whose values name hosts. */
    private static final Pattern PLACES = Pattern.compile(
            "(?i)(^|[._-])(bootstrap|hosts?|address(es)?|ur[il]s?|servers?|endpoints?|listeners|voters|ssh)$");

    private static final Pattern HOST = Pattern.compile("(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final Pattern URL_HOST =
            Pattern.compile("(?<=[a-zA-Z]://)(?:\\*\\*\\*@)?([A-Za-z0-9][A-Za-z0-9._-]*)");
    /** Addresses of IPv4 and IPv6, and of network cards. A version such as 11.0.20.1+1 is no address. */
    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![\\w.])(?!0\\.|127\\.|255\\.)(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\d+]|\\.\\d|-[A-Z])"
                    + "|(?<![\\w:.])(?=[a-fA-F:]*\\d)(?=(?:[0-9a-fA-F]{0,4}:){5}|[0-9a-fA-F:]*::)[0-9a-fA-F:]{4,39}(?![\\w:])");

    private static final Pattern PATH = Pattern.compile(
            "(?:(?<![\\w./~*)}+<\\\\-])|(?<=\\\\[nt])|(?<=file://))/(?!/)[^\\s\"'<>|,;:)(\\]\\[{}*?=\\\\`&]+");
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"");
    private static final Pattern HOME = Pattern.compile("/(?:home|Users)/([A-Za-z_][\\w.-]*)");
    private static final Pattern MAIL = Pattern.compile("\\b([A-Za-z_][\\w.-]*)@(?=[A-Za-z][\\w-]*\\.[A-Za-z])");

    private final ResolvedSecrets secrets;
    private final boolean keepsNames;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Pattern known;

    private Pseudonyms(ResolvedSecrets secrets, boolean keepsNames, SortedSet<String> hosts, SortedSet<String> users) {
        this.secrets = secrets;
        this.keepsNames = keepsNames;
        hosts.forEach(host -> name("host", host));
        users.forEach(user -> name("user", user));
        // Other machines of a known domain are unknown names: kafka-2.example.com beside kafka-1.example.com.
        Stream<String> domains = hosts.stream()
                .filter(host -> host.contains("."))
                .map(host -> "(?i:(?:[\\w-]+\\.)*" + Pattern.quote(host.replaceFirst(".*\\.(?=.*\\.)", "")) + ")");
        String any = Stream.concat(
                        domains,
                        Stream.concat(hosts.stream(), users.stream())
                                .sorted(Comparator.comparingInt(String::length).reversed())
                                .map(Pseudonyms::pattern))
                .collect(Collectors.joining("|"));
        // A probe of another host has the source host-NAME.
        known = Pattern.compile(
                any.isEmpty() ? "(?!)" : "(?:(?<![\\w.-])|(?<=(?<![\\w.-])host-))(?:" + any + ")(?![\\w-]|\\.\\w)");
    }

    /** Returns a pattern of a name. A name that is a plain word may also be a word of a text, such as VM. */
    private static String pattern(String name) {
        return name.matches("[A-Za-z]+")
                ? Pattern.quote(name)
                : "(?i:" + Pattern.quote(name) + "(?:\\.[A-Za-z][A-Za-z0-9-]*)*)";
    }

    static Pseudonyms of(RunFolder run, boolean keepsNames) {
        SortedSet<String> hosts = new TreeSet<>(List.of(MachineFacts.name()));
        SortedSet<String> users = new TreeSet<>(List.of(System.getProperty("user.name", "")));
        List<ResolvedSecrets> secrets = new ArrayList<>();
        BiConsumer<String, String> value = (key, text) -> {
            if (Redact.secret(key)) {
                secrets.add(ResolvedSecrets.spelledOut(Map.of(key, text)));
            }
            if (PLACES.matcher(key).find()) {
                hosts(text, hosts);
            }
        };
        run.asked()
                .variants()
                .forEach(variant -> variant.settings().forEach(setting -> {
                    if (PLACES.matcher(setting.path()).find()) {
                        hosts(setting.value(), hosts);
                    }
                    Matcher property = Pattern.compile("\\.(?:producer|consumer|client)\\.(.+)$")
                            .matcher(setting.path());
                    if (property.find()) {
                        value.accept(property.group(1), setting.value());
                    }
                }));
        List<Property> properties = new ArrayList<>();
        run.machine().properties().values().forEach(properties::addAll);
        List<HostFacts> machines = new ArrayList<>(run.machine().hosts());
        for (TrialFolder trial : Stream.of(run.trials(), run.searched(), run.profiled())
                .flatMap(List::stream)
                .toList()) {
            properties.addAll(trial.conditions().properties());
            machines.addAll(trial.conditions().hosts());
            TrialEnd end = trial.end();
            properties.addAll(end == null ? List.of() : end.properties());
        }
        properties.forEach(property -> List.of(property.requested(), property.effective())
                .forEach(text -> value.accept(property.name(), text)));
        machines.forEach(host -> hosts.addAll(List.of(host.name(), host.machine())));
        for (Path file : PublishCommand.files(run)) {
            if (file.toString().endsWith(".json") || file.toString().endsWith(".yaml")) {
                String text = RunFiles.reading(
                        RunFiles.own(file), () -> new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                URL_HOST.matcher(text).results().forEach(found -> hosts.add(found.group(1)));
                Stream.of(HOME, MAIL)
                        .forEach(
                                pattern -> pattern.matcher(text).results().forEach(found -> users.add(found.group(1))));
            }
        }
        Stream.of(hosts, users)
                .forEach(all -> all.removeIf(name -> name.length() < 2
                        || COMMON.contains(name)
                        || !HOST.matcher(name).matches()));
        users.removeAll(hosts);
        return new Pseudonyms(
                secrets.stream().distinct().reduce(ResolvedSecrets.NONE, ResolvedSecrets::plus),
                keepsNames,
                hosts,
                users);
    }

    private static void hosts(String value, Set<String> hosts) {
        for (String word : value.split("[\\s,\\[\\]{}\"'=]+", -1)) {
            String place = word.replaceFirst("^[\\w+.-]*://", "")
                    .replaceFirst("^[^@]*@", "")
                    .replaceFirst("[:/].*", "");
            hosts.add(place);
        }
    }

    /** Hides the secrets in a text of the run, and replaces its names unless the user keeps them. */
    String text(String text) {
        return replaced(Redact.marked(secrets.values(text)));
    }

    /** Does the same with a JSON text, whose numbers are no secrets even if a secret has the same digits. */
    String json(String json) {
        String hidden =
                STRING.matcher(json).replaceAll(found -> Matcher.quoteReplacement(secrets.values(found.group())));
        return replaced(Redact.marked(hidden));
    }

    private String replaced(String hidden) {
        if (keepsNames) {
            return hidden;
        }
        String placed = replaced(PATH, hidden, "/path");
        return replaced(ADDRESS, replaced(known, placed, "host"), "host");
    }

    private String replaced(Pattern pattern, String text, String kind) {
        return pattern.matcher(text).replaceAll((MatchResult found) -> {
            // A sentence may end behind a path.
            String name = found.group().replaceFirst("\\.+$", "");
            return Matcher.quoteReplacement(name(kind, name) + found.group().substring(name.length()));
        });
    }

    private String name(String kind, String name) {
        String key = kind.equals("/path") ? name : name.toLowerCase(Locale.ROOT);
        String known = names.get(key);
        if (known != null) {
            return known;
        }
        long number = names.values().stream()
                        .filter(one -> one.startsWith(kind + "-"))
                        .count()
                + 1;
        names.put(key, kind + "-" + number);
        return kind + "-" + number;
    }
}
