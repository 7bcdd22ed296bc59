package weir.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.property.Properties;
import weir.plan.property.ResolvedSecrets;
import weir.plan.property.SecretReferences;

/**
 * The properties of a client with all references resolved. Weir resolves the references once, so that workers and the
 * wire engine get values, and logs can hide the values.
 *
 * @param properties all properties with their secrets: never write them to a file or log
 * @param secrets the resolved texts and other values that must not be shown
 */
public record ClientReferences(SortedMap<String, String> properties, ResolvedSecrets secrets) {
    private static final String PROVIDERS = "config.providers";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}]*}");

    public static ClientReferences of(SortedMap<String, String> client) {
        return of(client, new TreeMap<>());
    }

    /**
     * Resolves the references in the properties of one kind of client.
     *
     * @param client the properties of all clients, which may name providers and are not returned
     * @throws Problems with each reference that cannot be resolved
     */
    public static ClientReferences of(SortedMap<String, String> own, SortedMap<String, String> client) {
        SortedMap<String, String> all = new TreeMap<>(own);
        client.forEach((name, value) -> {
            if (name.startsWith(PROVIDERS)) {
                all.putIfAbsent(name, value);
            }
        });
        SortedMap<String, String> ours = SecretReferences.resolve(all);
        Map<String, String> provided = provided(ours);
        SortedMap<String, String> resolved = new TreeMap<>();
        Set<String> names = new TreeSet<>();
        Set<String> texts = new TreeSet<>();
        List<Problem> problems = new ArrayList<>();
        ours.forEach((name, value) ->
                resolved.put(name, REFERENCE.matcher(value).replaceAll(reference -> {
                    String text = provided.getOrDefault(reference.group(), reference.group());
                    if (!text.equals(reference.group())) {
                        names.add(name);
                        texts.add(text);
                    } else if (Properties.known().containsKey(name) && ofProvider(reference.group(), ours)) {
                        problems.add(Problem.of(name, "the config provider has no value for '" + text + "'"));
                    }
                    return Matcher.quoteReplacement(text);
                })));
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        names.forEach(name -> texts.add(resolved.getOrDefault(name, "")));
        resolved.keySet().removeIf(name -> name.startsWith(PROVIDERS));
        return new ClientReferences(
                resolved,
                SecretReferences.in(all)
                        .plus(ResolvedSecrets.from(names, texts))
                        .plus(ResolvedSecrets.named(resolved)));
    }

    private static boolean ofProvider(String reference, SortedMap<String, String> properties) {
        String provider = reference.substring(2).replaceFirst("[:}].*", "");
        return List.of(properties.getOrDefault(PROVIDERS, "").split("\\s*,\\s*"))
                .contains(provider);
    }

    public static ResolvedSecrets secrets(Experiment experiment) {
        return each(experiment, (own, client) -> of(own, client).secrets());
    }

    public static ResolvedSecrets spelledOut(Experiment experiment) {
        return each(experiment, (own, client) -> ResolvedSecrets.spelledOut(own));
    }

    private static ResolvedSecrets each(
            Experiment experiment,
            BiFunction<SortedMap<String, String>, SortedMap<String, String>, ResolvedSecrets> secrets) {
        ResolvedSecrets all = ResolvedSecrets.NONE;
        for (Variant variant : experiment.variants()) {
            List<SortedMap<String, String>> maps = new ArrayList<>(List.of(
                    variant.cluster().client(),
                    variant.load().producers().properties(),
                    variant.load().consumers().properties()));
            variant.load().parts().forEach(part -> maps.add(part.secrets()));
            maps.addAll(variant.bridge().clients().values());
            for (SortedMap<String, String> own : maps) {
                all = all.plus(secrets.apply(own, variant.cluster().client()));
            }
        }
        return all;
    }

    private static Map<String, String> provided(SortedMap<String, String> properties) {
        Map<String, String> asked = new HashMap<>();
        if (!properties.containsKey(PROVIDERS)) {
            return asked;
        }
        properties.forEach((name, value) -> {
            if (name.startsWith(PROVIDERS)) {
                asked.put(name, value);
            } else {
                REFERENCE.matcher(value).results().forEach(found -> asked.put(found.group(), found.group()));
            }
        });
        try {
            Map<String, String> provided = new HashMap<>();
            new AbstractConfig(new ConfigDef(), asked, false)
                    .originals()
                    .forEach((reference, text) -> provided.put(reference, String.valueOf(text)));
            return provided;
        } catch (RuntimeException e) {
            // A provider is third-party code and may throw anything.
            throw new Problems(List.of(Problem.of(PROVIDERS, String.valueOf(e.getMessage()))));
        }
    }

    // The generated text would contain the secrets.
    @Override
    public String toString() {
        return secrets.toString();
    }
}
