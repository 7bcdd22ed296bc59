package weir.feature.site;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import weir.feature.site.KeyGroup.FoundChange;
import weir.report.block.Html;

/** The Atom feed of a site: one entry for each change of level, the newest first. A change keeps its id. */
final class AtomFeed {
    private AtomFeed() {}

    /** Returns the feed. {@code updated} is the time of the newest result. */
    static String of(String name, List<FoundChange> changes, Instant updated) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
        element(xml, "title", "Changes in " + name);
        element(xml, "id", id("feed " + name));
        element(xml, "updated", updated.toString());
        xml.append("<author><name>Weir</name></author>\n");
        xml.append("<link rel=\"self\" href=\"feed.xml\"/>\n<link href=\"index.html\"/>\n");
        for (FoundChange change : changes) {
            String key = change.group().key().id();
            xml.append("<entry>\n");
            element(xml, "title", change.sentence());
            element(xml, "id", id(String.join("\n", key, change.series(), change.run())));
            element(xml, "updated", change.time().toString());
            xml.append("<link href=\"").append(change.group().address()).append("#changes\"/>\n");
            xml.append("<link rel=\"related\" href=\"")
                    .append(PublishedResult.address(change.run()))
                    .append("\"/>\n");
            element(xml, "summary", "Changed there: " + change.cause() + ".");
            xml.append("</entry>\n");
        }
        return xml.append("</feed>\n").toString();
    }

    private static void element(StringBuilder xml, String name, String text) {
        xml.append('<')
                .append(name)
                .append('>')
                .append(Html.escape(text))
                .append("</")
                .append(name)
                .append(">\n");
    }

    private static String id(String text) {
        return "urn:uuid:" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
