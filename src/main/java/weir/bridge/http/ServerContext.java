package weir.bridge.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The context that the connections of one server share. */
final class ServerContext {
    private static final String BEARER = "Bearer ";

    private final ServerSettings settings;
    private final RequestService service;
    private final ByteBudget budget;
    private final ServerCounters counters;
    private final Map<EventLoop, Replies> replies = new ConcurrentHashMap<>();

    ServerContext(ServerSettings settings, RequestService service, ByteBudget budget, ServerCounters counters) {
        this.settings = settings;
        this.service = service;
        this.budget = budget;
        this.counters = counters;
    }

    RequestLimits limits() {
        return settings.limits();
    }

    RequestService service() {
        return service;
    }

    ByteBudget budget() {
        return budget;
    }

    ServerCounters counters() {
        return counters;
    }

    /** How long a request waits for room. */
    long patienceMillis() {
        return settings.patience().toMillis();
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
