package weir.feature.live;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.http.EventStream;
import weir.http.LiveAnswer;
import weir.http.LiveRequest;
import weir.http.LiveServer.LiveHandler;
import weir.http.Resource;
import weir.io.Io;
import weir.report.Page;
import weir.report.block.Html;

/** The answers of the live page: the page, its changes, the events, and the button that stops the run. */
final class PageAnswers {
    static final String STOP_TOKEN = "x-weir-stop";

    private static final String HTML = "text/html; charset=utf-8";

    private final EventStream events;
    private final RunStatus place;
    private final PageReaders readers;
    private final RenderTurns turns;
    private final Supplier<RenderedReport> report;
    private final Runnable stop;
    private final KeptAnswers answers;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final String token = randomToken();
    private final String id = randomToken();

    PageAnswers(
            EventStream events,
            RunStatus place,
            PageReaders readers,
            RenderTurns turns,
            Supplier<RenderedReport> report,
            LongSupplier nanos,
            Runnable stop) {
        this.events = events;
        this.place = place;
        this.readers = readers;
        this.turns = turns;
        this.report = report;
        this.stop = stop;
        answers = new KeptAnswers(nanos, turns);
    }

    private static String randomToken() {
        byte[] bytes = new byte[18];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    Map<String, LiveHandler> paths() {
        return Map.of(
                "/", this::page,
                "/parts", this::parts,
                "/events", this::listen,
                "/stop", new Stop());
    }

    private final class Stop implements LiveHandler {
        @Override
        public LiveAnswer answer(LiveRequest request) {
            if (!request.sameOrigin() || !isToken(request.header(STOP_TOKEN))) {
                return LiveAnswer.line(403, "only the page of this run can stop the run");
            }
            if (!place.isOver() && stopping.compareAndSet(false, true)) {
                place.addEvent("the page stopped the run; Weir keeps the measurements so far");
                stop.run();
            }
            return LiveAnswer.line(202, "the run is ending");
        }

        @Override
        public Resource resource() {
            return Resource.of("POST");
        }
    }

    private LiveAnswer page(LiveRequest request) {
        boolean last = place.isOver();
        readers.asked(last);
        turns.want(false);
        RenderedReport now = report.get();
        return answer(
                "/",
                now,
                last,
                () -> Page.live(now.contents(), aside(now), resource("live.css"), resource("live.js"), !last));
    }

    private LiveAnswer answer(String key, RenderedReport now, boolean last, Supplier<String> html) {
        return answers.get(key, now.version() + (last ? " last" : ""), html);
    }

    private static String resource(String name) {
        return Io.resource("/weir/feature/live/" + name);
    }

    private LiveAnswer parts(LiveRequest request) {
        RenderedReport now = report.get();
        readers.taken(now.version());
        long since = ofThisRun(request) ? number(request.query().getOrDefault("since", "0")) : 0;
        long has = since > now.version() ? 0 : Math.max(0, since);
        return answer("/parts " + has, now, place.isOver(), () -> parts(now, has));
    }

    private String parts(RenderedReport now, long has) {
        Html html = new Html();
        html.open("html").open("head").element("title", now.contents().title()).close();
        html.open("body");
        html.add(aside(now))
                .add(Page.contents(now.contents().parts()))
                .add(Page.main(now.contents(), now.keptSince(has)));
        return html.close().close().toString();
    }

    private LiveAnswer listen(LiveRequest request) {
        String last = request.header("last-event-id");
        String asked = last.isEmpty() ? request.query().getOrDefault("after", "0") : last;
        long after = ofThisRun(request) ? number(asked) : -1;
        readers.listens();
        if (events.has(after)) {
            turns.want(false);
        } else {
            turns.wantLost();
        }
        return new LiveAnswer.Events(events, after);
    }

    /** False if the request comes from the open page of an earlier run at this address. */
    private boolean ofThisRun(LiveRequest request) {
        return request.query().getOrDefault("run", id).equals(id);
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private Html aside(RenderedReport now) {
        Html html = new Html();
        html.open(
                "aside",
                "id",
                "live",
                "aria-label",
                "This run",
                "data-run",
                id,
                "data-trial",
                String.valueOf(now.trial()),
                "data-version",
                String.valueOf(now.version()),
                "data-event",
                String.valueOf(now.event()));
        html.open("div", "class", "now");
        html.element("p", place.status(), "id", "live-status", "role", "status");
        html.element("p", place.time(), "id", "live-time", "role", "timer", "aria-live", "off");
        if (!place.isOver()) {
            html.element("button", "Stop", "type", "button", "id", "live-stop", "data-token", token);
        }
        html.close();
        html.element(
                "progress", "", "id", "live-progress", "aria-label", "Time of this phase", "max", "1", "value", "0");
        html.open("ul", "id", "live-news", "aria-label", "News", "role", "log");
        place.latest().forEach(line -> html.element("li", line));
        html.close();
        html.element("p", "", "id", "live-link", "role", "status");
        html.verbatim("script", place.json(), "type", "application/json", "id", "live-state");
        return html.close();
    }

    /**
     * A cache of answers. An answer is reused for twenty times the time that its creation took. So each path uses at
     * most 5 % of a core, with any number of clients. Safe for many threads.
     */
    static final class KeptAnswers {
        private static final long SHARE = 20;
        private static final int MOST = 8;

        private final LongSupplier nanos;
        private final RenderTurns turns;
        private final Map<String, Kept> kept = new HashMap<>();
        private String state = "";

        private record Kept(LiveAnswer answer, long madeAt, long took) {}

        KeptAnswers(LongSupplier nanos, RenderTurns turns) {
            this.nanos = nanos;
            this.turns = turns;
        }

        synchronized LiveAnswer get(String key, String ofState, Supplier<String> text) {
            if (!state.equals(ofState)) {
                kept.clear();
                state = ofState;
            }
            long began = nanos.getAsLong();
            Kept before = kept.get(key);
            if (before != null && began - before.madeAt < before.took * SHARE) {
                return before.answer;
            }
            LiveAnswer answer = LiveAnswer.packed(HTML, text.get().getBytes(StandardCharsets.UTF_8));
            long ended = nanos.getAsLong();
            if (kept.size() >= MOST) {
                kept.clear();
            }
            kept.put(key, new Kept(answer, ended, ended - began));
            turns.spent(ended, ended - began);
            return answer;
        }
    }
}
