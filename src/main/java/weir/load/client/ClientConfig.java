package weir.load.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import weir.plan.property.Property;
import weir.plan.property.Redact;

/** The properties that Weir and the user set for one kind of client, and the values that the client uses. */
public final class ClientConfig {
    /** The start of the properties that only a share consumer accepts, whose parser is not public. */
    private static final String SHARE = "share.";

    private final Kind kind;
    private final SortedMap<String, Object> properties = new TreeMap<>();
    private final Set<String> yours = new HashSet<>();

    public enum Kind {
        PRODUCER,
        CONSUMER,
        ADMIN;

        ConfigDef definition() {
            return switch (this) {
                case PRODUCER -> ProducerConfig.configDef();
                case CONSUMER -> ConsumerConfig.configDef();
                case ADMIN -> AdminClientConfig.configDef();
            };
        }

        AbstractConfig parse(Map<String, Object> properties) {
            return switch (this) {
                case PRODUCER -> new ProducerConfig(properties);
                case CONSUMER -> {
                    Map<String, Object> checked = new HashMap<>(properties);
                    checked.keySet().removeIf(name -> name.startsWith(SHARE));
                    yield new ConsumerConfig(checked);
                }
                case ADMIN -> new AdminClientConfig(properties);
            };
        }

        boolean knows(String name) {
            return definition().names().contains(name);
        }
    }

    /**
     * @param weir defaults of Weir, which the user may change
     * @param client properties to connect any client; names of other kinds are skipped
     * @param asked properties of the user for this kind of client
     */
    public ClientConfig(Kind kind, Map<String, ?> weir, Map<String, String> client, Map<String, String> asked) {
        this.kind = kind;
        properties.putAll(weir);
        client.forEach((name, value) -> {
            boolean known = Arrays.stream(Kind.values()).anyMatch(any -> any.knows(name));
            if (kind.knows(name) || !known) {
                properties.put(name, value);
                yours.add(name);
            }
        });
        properties.putAll(asked);
        yours.addAll(asked.keySet());
    }

    /** Sets a property that the user cannot change. */
    public ClientConfig set(String name, String value) {
        properties.put(name, value);
        yours.remove(name);
        return this;
    }

    public ClientConfig unlessAsked(String name, String value) {
        properties.putIfAbsent(name, value);
        return this;
    }

    public Map<String, Object> named(String id) {
        Map<String, Object> named = new HashMap<>(properties);
        named.putIfAbsent("client.id", id);
        return named;
    }

    public AbstractConfig parsed() {
        return kind.parse(named("weir"));
    }

    /** Returns every property, including those that the client does not know. */
    public List<Property> effective() {
        AbstractConfig parsed = parsed();
        Set<String> names = new TreeSet<>(kind.definition().names());
        names.addAll(properties.keySet());
        names.remove("client.id");
        List<Property> all = new ArrayList<>();
        for (String name : names) {
            ConfigDef.ConfigKey key = kind.definition().configKeys().get(name);
            boolean unparsed = name.startsWith(SHARE) && properties.containsKey(name);
            all.add(key == null || unparsed ? unchecked(name) : known(name, key, parsed));
        }
        return all;
    }

    private Property known(String name, ConfigDef.ConfigKey key, AbstractConfig parsed) {
        Object byDefault = key.defaultValue == ConfigDef.NO_DEFAULT_VALUE ? null : key.defaultValue;
        Object effective = parsed.values().get(name);
        boolean asked = properties.containsKey(name);
        Object expected = asked ? ConfigDef.parseType(name, properties.get(name), key.type) : byDefault;
        boolean kept = plain(name, expected).equals(plain(name, effective));
        boolean secret = key.type == ConfigDef.Type.PASSWORD || Redact.hides(name, String.valueOf(effective));
        return new Property(
                of(),
                name,
                asked ? text(properties.get(name), key.type, secret) : "",
                name.equals(ProducerConfig.ACKS_CONFIG) ? plain(name, effective) : text(effective, key.type, secret),
                text(byDefault, key.type, false),
                kept ? source(name) : Property.Source.OVERRIDDEN);
    }

    private Property unchecked(String name) {
        String given = String.valueOf(properties.get(name));
        String value = Redact.hides(name, given) ? Property.HIDDEN : given;
        return new Property(of(), name, value, value, "", source(name));
    }

    private Property.Source source(String name) {
        if (yours.contains(name)) {
            return Property.Source.YOURS;
        }
        return properties.containsKey(name) ? Property.Source.WEIR : Property.Source.DEFAULT;
    }

    private String of() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    // The client writes acks=all as -1.
    private static String plain(String name, @Nullable Object value) {
        String text = String.valueOf(value);
        return name.equals(ProducerConfig.ACKS_CONFIG) && text.equals("-1") ? "all" : text;
    }

    private static String text(@Nullable Object value, ConfigDef.Type type, boolean secret) {
        if (value == null) {
            return "";
        }
        if (secret) {
            return Property.HIDDEN;
        }
        String text = value instanceof String s ? s : ConfigDef.convertToString(value, type);
        return text == null ? "" : text;
    }
}
