package weir.plan.syntax;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** A parser of YAML 1.2 to a {@link Tree}, which reports YAML features that experiment files must not use. */
public final class YamlTree {
    /** A character that looks like a space, or is invisible, but is not a space. */
    private static final String UNSEEN = "[\\p{Z}\\p{Cf}\\x{85}&&[^ ]]";

    private static final Pattern INDENTED = Pattern.compile("(?m)^(?:[ \\t]|- )*" + UNSEEN);
    private static final Pattern AROUND = Pattern.compile("(?<=^|:)" + UNSEEN + "|" + UNSEEN + "$");

    /** The limit of nesting, far above any experiment and far below a stack overflow. */
    private static final int DEEPEST = 32;

    private final Origin.Source source;
    private final String layer;
    private final Findings findings;
    private final Iterator<Event> events;

    private YamlTree(Origin.Source source, String layer, Findings findings, Iterator<Event> events) {
        this.source = source;
        this.layer = layer;
        this.findings = findings;
        this.events = events;
    }

    /** Reads one document. A text that is not YAML adds a finding and returns empty. */
    public static Optional<Tree> parse(Origin.Source source, String text, String layer, Findings findings) {
        LoadSettings settings = LoadSettings.builder().setLabel(source.name()).build();
        try {
            Iterator<Event> events = new Parse(settings).parseString(text).iterator();
            return new YamlTree(source, layer, findings, events).document();
        } catch (TooDeep e) {
            findings.add(e.origin, "", "must be at most " + DEEPEST + " levels deep");
        } catch (MarkedYamlEngineException e) {
            Matcher hidden = INDENTED.matcher(text);
            if (hidden.find()) {
                int at = hidden.end() - 1;
                findings.add(Origin.at(source, text, at, layer), "", unseen(text.codePointAt(at)));
                return Optional.empty();
            }
            Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
            int line = mark == null ? 0 : mark.getLine() + 1;
            int column = mark == null ? 0 : mark.getColumn() + 1;
            findings.add(new Origin(source, line, column, layer), "", notYaml(e.getProblem()));
        } catch (ReaderException e) {
            int at = 0;
            while (at < text.length() && StreamReader.isPrintable(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            findings.add(Origin.at(source, text, at, layer), "", notText(e.getCodePoint()));
        } catch (YamlEngineException e) {
            findings.add(new Origin(source, 1, 1, layer), "", notYaml(String.valueOf(e.getMessage())));
        }
        return Optional.empty();
    }

    private static String notText(int character) {
        return String.format(
                Locale.ROOT,
                "this is not YAML: the character U+%04X here is invisible; delete it, or write it in double quotes"
                        + " as \"\\u%04x\"",
                character,
                character);
    }

    private static String unseen(int character) {
        return String.format(
                Locale.ROOT,
                "the character U+%04X (%s) here is not a space in YAML; write spaces, or the text in quotes",
                character,
                Character.getName(character).toLowerCase(Locale.ROOT));
    }

    private static String notYaml(String problem) {
        if (problem.contains("TAB")) {
            return "YAML does not allow tabs for indentation; write spaces";
        }
        return "this is not YAML: " + problem.lines().findFirst().orElse("").strip();
    }

    private Optional<Tree> document() {
        Optional<Tree> tree = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent && tree.isPresent()) {
                findings.add(at(event), "", "a second document begins here; a file must have one experiment");
                return tree;
            }
            if (event instanceof NodeEvent) {
                tree = Optional.of(node(event, 0));
            }
        }
        return tree;
    }

    private Tree node(Event event, int depth) {
        Origin origin = at(event);
        if (depth > DEEPEST) {
            throw new TooDeep(origin);
        }
        if (event instanceof AliasEvent alias) {
            findings.add(
                    origin,
                    "",
                    "the alias '*" + alias.getAlias() + "' is not allowed; write the value again, or use like:");
            return new Tree.Text("null", false, origin);
        }
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            findings.add(
                    origin, "", "the anchor '&" + node.getAnchor().get() + "' is not allowed; use like: in variants");
        }
        if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), origin);
            return scalar(scalar, origin);
        }
        if (event instanceof SequenceStartEvent sequence) {
            refuseTag(sequence.getTag(), origin);
            List<Tree> items = new ArrayList<>();
            for (Event next = events.next(); next instanceof NodeEvent; next = events.next()) {
                items.add(node(next, depth + 1));
            }
            return new Tree.Items(items, origin);
        }
        if (event instanceof MappingStartEvent mapping) {
            refuseTag(mapping.getTag(), origin);
            return section(origin, depth);
        }
        throw new AssertionError(event);
    }

    private Tree section(Origin origin, int depth) {
        Map<String, Tree> entries = new LinkedHashMap<>();
        Map<String, Origin> places = new LinkedHashMap<>();
        for (Event next = events.next(); next instanceof NodeEvent; next = events.next()) {
            Tree key = node(next, depth + 1);
            Tree value = node(events.next(), depth + 1);
            if (key instanceof Tree.Text name && name.isSwitch()) {
                findings.add(key.origin(), "", name.switchProblem());
            }
            if (!(key instanceof Tree.Text name)) {
                findings.add(key.origin(), "", "a key must be plain text, not a list or a map");
            } else if (places.containsKey(name.text())) {
                String first = "; its first occurrence is in line "
                        + places.get(name.text()).line();
                findings.add(key.origin(), "", "the key '" + name.text() + "' occurs twice" + first);
            } else {
                entries.put(name.text(), value);
                places.put(name.text(), name.origin());
            }
        }
        return new Tree.Section(entries, places, origin);
    }

    private Tree scalar(ScalarEvent scalar, Origin origin) {
        Matcher hidden = AROUND.matcher(scalar.getValue());
        if (scalar.isPlain() && hidden.find()) {
            findings.add(origin, "", unseen(hidden.group().codePointAt(0)));
        }
        return new Tree.Text(scalar.getValue(), !scalar.isPlain(), origin);
    }

    private void refuseTag(Optional<String> tag, Origin origin) {
        tag.ifPresent(t -> findings.add(origin, "", "the tag '" + t + "' is not allowed; write the plain value"));
    }

    private Origin at(Event event) {
        Mark mark = event.getStartMark().orElseThrow();
        return new Origin(source, mark.getLine() + 1, mark.getColumn() + 1, layer);
    }

    private static final class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Origin origin;

        TooDeep(Origin origin) {
            this.origin = origin;
        }
    }
}
