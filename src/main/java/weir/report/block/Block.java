package weir.report.block;

import java.util.List;
import java.util.stream.Stream;

/** A piece of a section as data. {@link HtmlBlocks} draws it on a page, and {@code TextLines} on a terminal. */
public sealed interface Block
        permits Block.Heading,
                Block.Text,
                Block.Items,
                Table,
                Chart,
                Block.Group,
                Block.Details,
                Block.Facts,
                Block.Live {
    Block GAP = text("");

    /** A piece of a text; {@code where} is the address of a link, or the style class of a span or a badge. */
    record Span(Mark mark, String text, String where) {}

    enum Mark {
        PLAIN,
        STRONG,
        CODE,
        SPAN,
        /** A small label that links to the caveats. */
        BADGE,
        LINK
    }

    record Heading(int level, String look, String text) implements Block {}

    record Text(String look, List<Span> spans) implements Block {
        public Text {
            spans = List.copyOf(spans);
        }

        public Text with(Mark mark, String text) {
            return with(mark, text, "");
        }

        public Text with(Mark mark, String text, String where) {
            return new Text(
                    look,
                    Stream.concat(spans.stream(), Stream.of(new Span(mark, text, where)))
                            .toList());
        }
    }

    /** A list. A terminal shows {@code most} entries and counts the others as "more {@code what}". */
    record Items(String look, List<Text> entries, int most, String what) implements Block {
        public Items {
            entries = List.copyOf(entries);
        }
    }

    record Group(String look, List<? extends Block> inside) implements Block {
        public Group {
            inside = List.copyOf(inside);
        }
    }

    record Details(String look, boolean open, Text summary, List<? extends Block> inside) implements Block {
        public Details {
            inside = List.copyOf(inside);
        }
    }

    record Fact(String name, String value, String look, String remark) {}

    record Facts(String look, List<Fact> facts) implements Block {
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    record Live(List<String> names, int first, String json) implements Block {
        public Live {
            names = List.copyOf(names);
        }
    }

    static Text styled(String look) {
        return new Text(look, List.of());
    }

    static Text styled(String look, String text) {
        return styled(look).with(Mark.PLAIN, text);
    }

    static Text text(String text) {
        return styled("", text);
    }

    static Text note(String text) {
        return styled("note", text);
    }

    static Text warning(String text) {
        return styled("warn", text);
    }

    static Group charts(List<? extends Block> charts) {
        return new Group("charts", charts);
    }

    static Details more(String summary, Block... inside) {
        return new Details("more", false, text(summary), List.of(inside));
    }

    static Items list(List<String> texts) {
        return list("", texts.stream().map(Block::text).toList());
    }

    static Items list(String look, List<Text> entries) {
        return new Items(look, entries, entries.size(), "");
    }

    static Items first(List<String> texts, int most, String what) {
        return new Items("", texts.stream().map(Block::text).toList(), most, what);
    }
}
