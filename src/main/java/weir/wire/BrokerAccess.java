package weir.wire;

import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** The encryption and the login of a client, from the client's properties. Only brokers receive the secrets. */
public final class BrokerAccess {
    private static final List<String> PROTOCOLS = List.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");

    private static final List<String> FILES = List.of("ssl.keystore.location", "ssl.truststore.location");

    private final String protocol;
    final BiFunction<Endpoint, SocketChannel, Transport> transport;
    final SaslLogin login;

    private BrokerAccess(String protocol, BiFunction<Endpoint, SocketChannel, Transport> transport, SaslLogin login) {
        this.protocol = protocol;
        this.transport = transport;
        this.login = login;
    }

    public static BrokerAccess plaintext() {
        return of(Map.of());
    }

    /** Reads {@code security.protocol}, {@code ssl.*} and {@code sasl.*}, and ignores other properties. */
    public static BrokerAccess of(Map<String, String> properties) {
        String protocol = properties.getOrDefault("security.protocol", "PLAINTEXT");
        if (!PROTOCOLS.contains(protocol)) {
            throw new IllegalArgumentException(
                    "security.protocol: '" + protocol + "' is not one of " + String.join(", ", PROTOCOLS));
        }
        return new BrokerAccess(
                protocol,
                protocol.endsWith("SSL") ? tls(properties) : (at, channel) -> new Transport.Plain(channel),
                protocol.startsWith("SASL") ? SaslLogin.of(properties) : SaslLogin.none());
    }

    private static BiFunction<Endpoint, SocketChannel, Transport> tls(Map<String, String> properties) {
        Map<String, Object> parsed = new TreeMap<>();
        ConfigDef definition = new ConfigDef().withClientSslSupport();
        DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
        for (String name : FILES) {
            String file = properties.getOrDefault(name, "");
            if (!file.isEmpty() && !Files.isReadable(Path.of(file))) {
                throw new IllegalArgumentException(name + ": '" + file + "' does not exist, or cannot be read");
            }
        }
        try {
            parsed.putAll(definition.parse(properties));
            factory.configure(parsed);
        } catch (KafkaException e) {
            throw new IllegalArgumentException("ssl.*: " + e.getMessage(), e);
        }
        String check = String.valueOf(parsed.getOrDefault("ssl.endpoint.identification.algorithm", ""));
        return (at, channel) ->
                new TlsTransport(at, channel, factory.createClientSslEngine(at.host(), at.port(), check));
    }

    @Override
    public String toString() {
        return protocol + login;
    }
}
