package weir.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The context that the connections of one server share. */
final class ServerContext {
    private final ServerSettings settings;
    private final RequestService service;
    private final ByteBudget budget;
    private final ServerCounters counters;
    private final Places places;
    private final Map<EventLoop, Replies> replies = new ConcurrentHashMap<>();

    ServerContext(ServerSettings settings, RequestService service, ByteBudget budget, ServerCounters counters) {
        this.settings = settings;
        this.service = service;
        this.budget = budget;
        this.counters = counters;
        this.places = new Places(settings.limits().connections());
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

    Access access() {
        return settings.access();
    }

    Places places() {
        return places;
    }

    /** How long a request waits for room. */
    long patienceMillis() {
        return settings.patience().toMillis();
    }

    Replies replies(ChannelHandlerContext context) {
        return replies.computeIfAbsent(context.channel().eventLoop(), Replies::new);
    }
}
