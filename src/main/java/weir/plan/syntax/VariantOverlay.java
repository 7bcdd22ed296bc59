package weir.plan.syntax;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import weir.feature.Feature;

/** A key like {@code preset}, whose words stand for settings. Settings of the variant override these settings. */
public interface VariantOverlay extends Feature.Part {
    String key();

    /** The settings of a word; {@code topics} are the topics that Weir creates for the variant. */
    Tree.Section overlay(Tree.Text word, Collection<String> topics);

    /** The settings of clients by dotted path, for each word. */
    List<SortedMap<String, String>> clientSettings();
}
