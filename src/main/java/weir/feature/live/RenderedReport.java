package weir.feature.live;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import weir.report.Page;

/**
 * The latest report, with the version in which each part last changed.
 *
 * @param version number of the report, from 1; 0 before the first report
 * @param event number of the last event before the run folder was read; the report does not include later events
 * @param trial number of the trial that ran at that time; 0 for none
 * @param texts markup of each part, by its id
 * @param since version in which each part last changed, by the id of the part
 */
record RenderedReport(
        long version,
        long event,
        int trial,
        Page.Contents contents,
        Map<String, String> texts,
        Map<String, Long> since) {
    RenderedReport {
        texts = Map.copyOf(texts);
        since = Map.copyOf(since);
    }

    RenderedReport next(Page.Contents now, long readAfter, int running) {
        Map<String, String> markup = new TreeMap<>();
        markup.put(Page.ANSWER, now.header().toString());
        now.parts().forEach(part -> markup.put(part.id(), part.title() + "\n" + part.body()));
        Map<String, Long> changed = new TreeMap<>();
        markup.forEach((id, text) ->
                changed.put(id, text.equals(texts.get(id)) ? since.getOrDefault(id, version + 1) : version + 1));
        return new RenderedReport(version + 1, readAfter, running, now, markup, changed);
    }

    Set<String> keptSince(long has) {
        Set<String> kept = new HashSet<>();
        if (has > 0 && has <= version) {
            since.forEach((id, changed) -> {
                if (changed <= has) {
                    kept.add(id);
                }
            });
        }
        return kept;
    }
}
