package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.load.Inbox;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.Refused;

/** The brokers that lead what one reader reads: found, connected to, and followed when they change. */
final class Sources implements AutoCloseable {
    private final String name;
    private final FetchSettings settings;
    private final Leaders leaders;
    private final Dialer dialer;
    private final Selector selector;
    private final News news;
    private final List<Source> all = new ArrayList<>();
    private final Runnable listener;
    private Leaders.@Nullable View seen;

    Sources(String name, FetchSettings settings, Leaders leaders, Dialer dialer, Selector selector, News news) {
        this.name = name;
        this.settings = settings;
        this.leaders = leaders;
        this.dialer = dialer;
        this.selector = selector;
        this.news = news;
        this.listener = selector::wakeup;
        leaders.listen(listener);
    }

    List<Source> all() {
        return all;
    }

    /** Goes where the leaders are, and connects to those without a connection. */
    void follow(List<Reading> readings) {
        Leaders.View now = leaders.view();
        Leaders.View before = seen;
        if (before == null || now.number() != before.number()) {
            seen = now;
            assign(readings, now);
        }
        for (int i = 0; i < all.size(); i++) {
            dial(all.get(i));
        }
    }

    private void assign(List<Reading> readings, Leaders.View now) {
        for (Reading one : readings) {
            Leader leader = now.leader(one.index);
            one.leaderEpoch = leader.epoch();
            Source next = leader.none() ? null : source(leader.at());
            if (next != one.source) {
                move(one, next);
            }
        }
        for (Iterator<Source> each = all.iterator(); each.hasNext(); ) {
            Source source = each.next();
            if (source.readings().isEmpty()) {
                source.close();
                each.remove();
            }
        }
    }

    private static void move(Reading one, @Nullable Source to) {
        if (one.source != null) {
            one.source.readings().remove(one);
        }
        one.source = to;
        if (to != null) {
            to.readings().add(one);
            to.readings().sort((a, b) -> Integer.compare(a.index, b.index));
        }
    }

    private Source source(Endpoint at) {
        for (Source source : all) {
            if (source.at().equals(at)) {
                return source;
            }
        }
        Source source = new Source(at, name, settings);
        all.add(source);
        return source;
    }

    private void dial(Source source) {
        if (!source.wantsConnection()) {
            return;
        }
        dialer.dial(source.at(), source.dials(), new Dialer.Caller() {
            @Override
            public void connected(Connection connection) {
                news.hear(new Connected(source, connection));
            }

            @Override
            public void failed(IOException why) {
                news.hear(inbox -> broken(source, why));
            }
        });
    }

    /** A source may have been given up while somebody connected to it. */
    private final class Connected implements News.Item {
        private final Source source;
        private final Connection connection;

        Connected(Source source, Connection connection) {
            this.source = source;
            this.connection = connection;
        }

        @Override
        public void tell(Inbox inbox) throws IOException {
            if (all.contains(source)) {
                source.connected(connection, selector);
            } else {
                drop();
            }
        }

        @Override
        public void drop() {
            connection.close();
        }
    }

    /** A connection is of no more use; throws when there will be no other. */
    void broken(Source source, IOException why) throws IOException {
        if (why instanceof Refused) {
            throw why;
        }
        source.failed();
        outdated();
    }

    /** A broker does not lead what it was thought to lead. */
    void outdated() {
        Leaders.View old = seen;
        if (old != null) {
            leaders.outdated(old);
        }
    }

    /** Asks it for what is ready, unless something is on its way. */
    void ask(Source source, long now) throws IOException {
        try {
            source.ask(now);
            if (source.overdue(now)) {
                throw new IOException("broker " + source.at() + " did not answer a fetch in time");
            }
        } catch (IOException e) {
            broken(source, e);
        }
    }

    @Override
    public void close() {
        leaders.forget(listener);
        all.forEach(Source::close);
        all.clear();
    }
}
