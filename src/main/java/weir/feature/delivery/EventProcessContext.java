package weir.feature.delivery;

import io.netty.channel.EventLoopGroup;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import weir.feature.http.Forwarder;
import weir.http.ByteBudget;
import weir.http.HttpServer.ServerCounters;

/**
 * The objects that all parts of an event process share.
 *
 * @param budget limit in bytes for all requests in memory and all events of a channel in memory
 */
record EventProcessContext(
        EventProcessSettings settings,
        KafkaClients clients,
        EventLoopGroup loops,
        ByteBudget budget,
        ServerCounters server,
        EventProcessFigures figures,
        LongSupplier clock) {
    interface KafkaClients {
        KafkaClients REAL = new KafkaClients() {};

        default Producer<byte[], byte[]> producer(SortedMap<String, String> properties) {
            return Forwarder.producer(properties);
        }

        default Consumer<byte[], byte[]> consumer(SortedMap<String, String> properties) {
            ByteArrayDeserializer bytes = new ByteArrayDeserializer();
            return new KafkaConsumer<>(new TreeMap<>(properties), bytes, bytes);
        }
    }

    /** Makes a forwarder to a new producer. */
    Forwarder forwarder(SortedMap<String, String> properties, String name) {
        return new Forwarder(clients.producer(properties), properties, name);
    }

    PathSpec dispatch() {
        return settings.dispatch();
    }

    long now() {
        return clock.getAsLong();
    }
}
