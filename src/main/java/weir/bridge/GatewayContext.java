package weir.bridge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import weir.plan.BridgeSpec;

/** The context that the connections of one gateway share. */
final class GatewayContext {
    private static final String BEARER = "Bearer ";
    /** Defaults of Kafka's producer. */
    private static final long BUFFER_BYTES = 32L << 20;

    private static final long MAX_BLOCK_MILLIS = 60_000;

    private final GatewaySettings settings;
    private final KnownTopics topics;
    private final Forwarder forwarder;
    private final GatewayCounters counters;
    private final ByteBudget budget;
    private final long maxBlockMillis;
    private final Map<EventLoop, Replies> replies = new ConcurrentHashMap<>();

    GatewayContext(GatewaySettings settings, KnownTopics topics, Forwarder forwarder, GatewayCounters counters) {
        this.settings = settings;
        this.topics = topics;
        this.forwarder = forwarder;
        this.counters = counters;
        this.budget = new ByteBudget(settings.number("buffer.memory", BUFFER_BYTES));
        this.maxBlockMillis = settings.number("max.block.ms", MAX_BLOCK_MILLIS);
    }

    RequestLimits limits() {
        return settings.limits();
    }

    boolean queued() {
        return settings.answer() == BridgeSpec.Answer.QUEUED;
    }

    GatewayCounters counters() {
        return counters;
    }

    ByteBudget budget() {
        return budget;
    }

    KnownTopics topics() {
        return topics;
    }

    Forwarder forwarder() {
        return forwarder;
    }

    /** How long a request waits for room. */
    long maxBlockMillis() {
        return maxBlockMillis;
    }

    Replies replies(ChannelHandlerContext context) {
        return replies.computeIfAbsent(context.channel().eventLoop(), Replies::new);
    }

    /** Compares in a time that tells nothing about the token. */
    boolean allowed(@Nullable String authorization) {
        if (settings.token().isEmpty()) {
            return true;
        }
        byte[] wanted = (BEARER + settings.token()).getBytes(StandardCharsets.UTF_8);
        return authorization != null && MessageDigest.isEqual(wanted, authorization.getBytes(StandardCharsets.UTF_8));
    }
}
