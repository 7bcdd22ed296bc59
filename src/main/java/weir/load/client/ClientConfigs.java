package weir.load.client;

import java.util.Map;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.load.client.ClientEngine.Connection;

/** The properties of an engine's clients; {@code outsider} is of consumers that belong to no group. */
record ClientConfigs(ClientConfig producer, ClientConfig consumer, ClientConfig outsider, ClientConfig admin) {
    // The clients' averages would otherwise be those of the last half minute.
    private static final Map<String, String> LOOK = Map.of("metrics.sample.window.ms", "1000");

    static ClientConfigs of(Connection connection) {
        return new ClientConfigs(
                new ClientConfig(ClientConfig.Kind.PRODUCER, LOOK, connection.client(), connection.producer())
                        .set("key.serializer", ByteArraySerializer.class.getName())
                        .set("value.serializer", ByteArraySerializer.class.getName()),
                reader(connection),
                outsider(connection),
                new ClientConfig(ClientConfig.Kind.ADMIN, Map.of(), connection.client(), Map.of()));
    }

    private static ClientConfig reader(Connection connection) {
        ClientConfig reader = any(connection);
        if (connection.group().named()) {
            reader.set("group.id", connection.groupName())
                    .set("group.protocol", connection.group().protocol().name())
                    .set("enable.auto.commit", "true");
        } else {
            reader.set("enable.auto.commit", "false");
        }
        if (connection.operating().transactional() && connection.operating().sources() > 0) {
            // What else asks where its group stands is not told of offsets that a transaction is about to commit.
            reader.unlessAsked("isolation.level", "read_committed");
        }
        return reader;
    }

    private static ClientConfig outsider(Connection connection) {
        ClientConfig outsider = any(connection).set("enable.auto.commit", "false");
        return connection.operating().committed() ? outsider.set("isolation.level", "read_committed") : outsider;
    }

    private static ClientConfig any(Connection connection) {
        return new ClientConfig(ClientConfig.Kind.CONSUMER, LOOK, connection.client(), connection.consumer())
                .unlessAsked("auto.offset.reset", "earliest")
                .unlessAsked("allow.auto.create.topics", "false")
                .set("key.deserializer", NoDeserializer.class.getName())
                .set("value.deserializer", ArrivalDeserializer.class.getName());
    }

    boolean outsiderReadsCommitted() {
        return "read_committed".equals(outsider.parsed().getString("isolation.level"));
    }
}
