package weir.feature.delivery;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import weir.http.Access;
import weir.http.Answers;
import weir.http.ByteBudget;
import weir.http.EventLoops;
import weir.http.HttpHead;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.Refusal;
import weir.http.RequestService;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;
import weir.http.RequestService.Task;
import weir.http.Resource;

/** A subscriber that stores its events and answers as the test decides. */
final class SubscriberUnderTest implements RequestService, RequestService.Task, AutoCloseable {
    final BlockingQueue<Got> events = new LinkedBlockingQueue<>();
    private final EventLoopGroup loops = EventLoops.group();
    private final ByteBudget budget = new ByteBudget(1 << 30);
    private final HttpServer server;
    private volatile Answering answering = reply -> reply.answer(Answers.queued());

    @SuppressWarnings("ArrayRecordComponent")
    record Got(String path, HttpHeaders headers, byte[] body, Reply reply) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String header(String name) {
            return headers.get(name, "");
        }
    }

    interface Answering {
        void answer(Reply reply);
    }

    SubscriberUnderTest() throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ServerSettings place = new ServerSettings(
                RequestLimits.DEFAULT, new Access("", Set.of()), Duration.ofSeconds(1), Optional.empty());
        server = HttpServer.start(at, place, this, budget, new ServerCounters(), loops);
    }

    SubscriberUnderTest answers(Answering how) {
        answering = how;
        return this;
    }

    SubscriberUnderTest answersLater() {
        return answers(reply -> {});
    }

    SubscriberUnderTest answers(FullHttpResponse always) {
        return answers(reply -> reply.answer(always.retainedDuplicate()));
    }

    String url() {
        return "http://127.0.0.1:" + server.address().getPort();
    }

    Got take() throws InterruptedException {
        Got next = events.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no event came for ten seconds");
        }
        return next;
    }

    @Override
    public Resource resource(String path) {
        return new Resource("GET, POST", Set.of(), true);
    }

    @Override
    public Task begin(HttpHead head) {
        return this;
    }

    @Override
    public void carryOut(HttpHead head, RequestBody body, Reply reply) {
        budget.release(body.length());
        events.add(new Got(head.path(), head.request().headers().copy(), body.bytes(), reply));
        answering.answer(reply);
    }

    @Override
    public void answerQuery(HttpHead head, Reply reply) {
        reply.answer(Answers.healthy());
    }

    @Override
    public Refusal full() {
        return Refusal.bad("full");
    }

    @Override
    public void close() {
        server.close();
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
    }
}
