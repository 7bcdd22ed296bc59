package weir.load.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.message.SerializedValues.ValueReader;

/**
 * A deserializer that reads the identity of a message, without copying or parsing the value. The reader's deserializer
 * of values, if any, then reads the value.
 */
final class ArrivalDeserializer implements Deserializer<Arrival> {
    private final boolean reuses;
    private final List<Arrival> arrivals = new ArrayList<>();
    private int used;
    private ValueReader values = ValueReader.NONE;
    private LongSupplier clock = () -> 0;

    ArrivalDeserializer() {
        this(true);
    }

    /** @param reuses true if the arrivals of a poll are not needed after {@link #again} */
    ArrivalDeserializer(boolean reuses) {
        this.reuses = reuses;
    }

    void reads(ValueReader values, LongSupplier clock) {
        this.values = values;
        this.clock = clock;
    }

    void again() {
        used = 0;
    }

    @Override
    public Arrival deserialize(String topic, Headers headers, @Nullable ByteBuffer value) {
        Arrival arrival = next();
        Header header = headers.lastHeader(Identity.HEADER);
        if (header != null) {
            arrival.read(header.value());
            if (values != ValueReader.NONE && value != null) {
                long startNanos = clock.getAsLong();
                values.read(value);
                arrival.deserializeNanos = clock.getAsLong() - startNanos;
            }
        } else if (value != null) {
            arrival.read(value);
        } else {
            arrival.unknown();
        }
        return arrival;
    }

    /** Returns the arrival even for a null value; clients since 4.0 do not pass null to the deserializer. */
    Arrival of(ConsumerRecord<?, Arrival> record) {
        Arrival arrival = record.value();
        return arrival == null ? deserialize(record.topic(), record.headers(), (ByteBuffer) null) : arrival;
    }

    @Override
    public Arrival deserialize(String topic, byte @Nullable [] value) {
        throw new UnsupportedOperationException("clients deserialize with headers");
    }

    private Arrival next() {
        if (!reuses) {
            return new Arrival();
        }
        if (used == arrivals.size()) {
            arrivals.add(new Arrival());
        }
        return arrivals.get(used++);
    }
}
