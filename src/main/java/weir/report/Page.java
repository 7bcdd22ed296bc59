package weir.report;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.plan.read.Hash;
import weir.report.block.Block;
import weir.report.block.GlossaryLinks;
import weir.report.block.Html;
import weir.report.block.HtmlBlocks;
import weir.results.GateOutcome;

/** A self-contained HTML file with the frame that all pages of Weir share. */
public final class Page {
    private static final String ICON =
            "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1"
                    + " 5h6v8h8' fill='none' stroke='%230072B2' stroke-width='3'/%3E%3C/svg%3E";

    public static final String ANSWER = "answer";

    private static final String KEPT = "data-kept";

    private Page() {}

    public record Part(String id, String title, Html body) {
        public Part(String id, String title, List<? extends Block> blocks) {
            this(id, title, HtmlBlocks.of(blocks));
        }
    }

    public record Contents(String title, Html header, List<Part> parts, String footer) {
        public Contents {
            parts = List.copyOf(parts);
        }

        public Contents(String title, List<? extends Block> header, List<Part> parts, String footer) {
            this(title, header(header), parts, footer);
        }

        private static Html header(List<? extends Block> blocks) {
            return new Html()
                    .open("header", "id", ANSWER)
                    .add(HtmlBlocks.of(blocks))
                    .close();
        }

        public Contents explained() {
            List<Html> shown = new ArrayList<>(List.of(header));
            parts.forEach(part -> shown.add(part.body()));
            Html glossary = GlossaryLinks.glossary(shown);
            if (glossary.length() == 0) {
                return this;
            }
            List<Part> all = new ArrayList<>(parts);
            all.add(new Part("glossary", "Glossary", glossary));
            return new Contents(title, header, all, footer);
        }
    }

    public static String of(Contents contents) {
        return page(contents, new Html(), new Html(), "", "", "");
    }

    /**
     * Renders a page whose contents still change. Without scripts, the browser reloads the page.
     *
     * @param aside content above the page
     * @param style and {@code script}: additions to those of every page; the script may call the page's server
     * @param changes false for the final state
     */
    public static String live(Contents contents, Html aside, String style, String script, boolean changes) {
        Html again = new Html();
        if (changes) {
            again.open("noscript")
                    .open("meta", "http-equiv", "refresh", "content", "10")
                    .close();
        }
        return page(contents, again, aside, style, "\n" + script, "; connect-src 'self'");
    }

    /** Renders the middle of the page. Parts with ids in {@code kept} stay empty and are marked as kept. */
    public static Html main(Contents contents, Set<String> kept) {
        Html html = new Html();
        html.open("main");
        if (kept.contains(ANSWER)) {
            html.open("header", "id", ANSWER, KEPT, "").close();
        } else {
            html.add(contents.header());
        }
        html.line();
        for (Part part : contents.parts()) {
            String title = part.id() + "-title";
            if (kept.contains(part.id())) {
                html.open("section", "id", part.id(), KEPT, "").close().line();
                continue;
            }
            html.open("section", "id", part.id(), "aria-labelledby", title);
            html.element("h2", part.title(), "id", title);
            html.add(part.body()).close().line();
        }
        html.open("footer").element("p", contents.footer()).close();
        return html.close();
    }

    public static String of(Contents contents, String own) {
        String style = style() + resource(own + ".css");
        return document(contents, new Html(), new Html(), style, resource(own + ".js"), "");
    }

    private static String page(
            Contents contents, Html moreHead, Html aside, String moreStyle, String moreScript, String morePolicy) {
        String style = resource("uPlot.min.css") + style() + moreStyle;
        String script = "/*\n" + resource("uPlot.LICENSE") + "*/\n" + resource("uPlot.iife.min.js") + "\n"
                + resource("report.js") + moreScript;
        return document(contents, moreHead, aside, style, script, morePolicy);
    }

    private static String document(
            Contents contents, Html moreHead, Html aside, String style, String script, String morePolicy) {
        Html html = new Html();
        html.open("html", "lang", "en").open("head");
        html.open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", policy(style, script) + morePolicy);
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.open("meta", "name", "referrer", "content", "no-referrer");
        html.open("link", "rel", "icon", "href", ICON);
        html.add(moreHead).element("title", contents.title());
        html.verbatim("style", style).close().line();
        html.open("body").element("a", "Skip to the answer", "href", "#answer", "class", "skip");
        html.add(contents(contents.parts())).add(aside).add(main(contents, Set.of()));
        html.verbatim("script", script);
        return "<!DOCTYPE html>\n" + html.close().close() + "\n";
    }

    /** Returns the head of a page of several runs: the outcome of the gate, if any, and the reasons. */
    public static List<Block> head(String name, String answer, @Nullable GateOutcome outcome, List<String> why) {
        Block.Text overline = Block.styled("overline");
        if (outcome != null) {
            String look = switch (outcome) {
                case OPEN -> "valid";
                case REGRESSION -> "invalid";
                case BLIND -> "suspect";
            };
            overline = overline.with(Block.Mark.SPAN, outcome.name().toLowerCase(Locale.ROOT), "badge " + look);
        }
        List<Block> head =
                new ArrayList<>(List.of(overline.with(Block.Mark.SPAN, name, "run"), new Block.Heading(1, "", answer)));
        why.forEach(reason -> head.add(Block.styled("loss", reason)));
        return head;
    }

    public static Html contents(List<Part> parts) {
        Html html = new Html();
        html.open("nav", "aria-label", "Contents")
                .open("a", "href", "#answer", "class", "home")
                .text("weir")
                .close();
        html.open("ol");
        for (Part part : parts) {
            html.open("li").element("a", part.title(), "href", "#" + part.id()).close();
        }
        return html.close().close();
    }

    private static String policy(String style, String script) {
        return "default-src 'none'; img-src data:; style-src 'sha256-" + hash(style) + "'; script-src 'sha256-"
                + hash(script) + "'; base-uri 'none'; form-action 'none'";
    }

    private static String style() {
        return resource("chart.css") + resource("report.css");
    }

    private static String hash(String code) {
        return Base64.getEncoder().encodeToString(Hash.digest().digest(code.getBytes(StandardCharsets.UTF_8)));
    }

    static String resource(String name) {
        return Io.resource("/weir/report/" + name);
    }
}
