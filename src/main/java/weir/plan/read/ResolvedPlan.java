package weir.plan.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.Experiment;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Problem;
import weir.plan.syntax.Problems;
import weir.plan.syntax.ShapeCheck;
import weir.plan.syntax.SourcePositions;
import weir.plan.syntax.Tree;

/** Plans as JSON: the same language with everything said, and beside it where each value came from. */
public final class ResolvedPlan {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String NAME = "resolved plan";

    private ResolvedPlan() {}

    public static String variant(String name, SortedMap<String, String> gridPoint, Tree.Section tree) {
        ObjectNode json = JSON.createObjectNode();
        json.put("variant", name);
        ObjectNode point = json.putObject("gridPoint");
        gridPoint.forEach(point::put);
        plan(json, tree);
        return json.toString();
    }

    public static String experiment(Path file, boolean shortened, Tree.Section top, List<Variant> variants) {
        ObjectNode json = JSON.createObjectNode();
        json.put("file", file.toString());
        json.put("shortened", shortened);
        plan(json, top);
        ArrayNode each = json.putArray("variants");
        variants.forEach(variant -> each.add(json(variant.resolved())));
        return json.toString();
    }

    private static void plan(ObjectNode json, Tree.Section tree) {
        json.set("plan", write(tree));
        Map<String, Tree> leaves = new TreeMap<>();
        Paths.leaves("", tree, leaves);
        ObjectNode origins = json.putObject("origins");
        leaves.forEach((path, value) -> origins.put(path, value.origin().text()));
    }

    /** Everything but sections and lists is text: what a value means is decided by its key alone. */
    private static JsonNode write(Tree tree) {
        if (tree instanceof Tree.Section section) {
            ObjectNode node = JSON.createObjectNode();
            section.entries().forEach((name, value) -> node.set(name, write(value)));
            return node;
        }
        if (tree instanceof Tree.Items items) {
            ArrayNode node = JSON.createArrayNode();
            items.items().forEach(item -> node.add(write(item)));
            return node;
        }
        return JSON.getNodeFactory().textNode(tree.line());
    }

    public static Variant variant(String json) {
        return variant(json(json));
    }

    private static Variant variant(JsonNode json) {
        Findings findings = new Findings();
        Tree.Section tree = checked(json, findings);
        new VariantForm(findings).check(tree);
        findings.throwAny();
        SortedMap<String, String> point = new TreeMap<>();
        json.path("gridPoint")
                .properties()
                .forEach(axis -> point.put(axis.getKey(), axis.getValue().asText()));
        return BindVariant.variant(json.path("variant").asText(), point, complete(tree));
    }

    /** A plan that somebody shortened by hand still has all its values. */
    private static Tree.Section complete(Tree.Section tree) {
        return Defaults.fill(tree, BindVariant.keys());
    }

    public static Experiment experiment(String json) {
        JsonNode root = json(json);
        Findings findings = new Findings();
        Tree.Section top = checked(root, findings);
        findings.throwAny();
        List<Variant> variants = new ArrayList<>();
        root.path("variants").forEach(variant -> variants.add(variant(variant)));
        if (variants.isEmpty()) {
            throw new Problems(List.of(Problem.of(NAME, "has no variants")));
        }
        Path file = Path.of(root.path("file").asText());
        SourcePositions places = SourcePositions.unknown(String.valueOf(file.getFileName()));
        return BindExperiment.experiment(file, root.path("shortened").asBoolean(), top, variants, List.of(), places);
    }

    private static Tree.Section checked(JsonNode json, Findings findings) {
        Tree.Section tree = (Tree.Section) read("", json.path("plan"), json.path("origins"), 0);
        return ShapeCheck.check(tree, findings);
    }

    public static JsonNode json(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (json.path("plan").isObject()) {
                return json;
            }
            throw new Problems(List.of(Problem.of(NAME, "has no plan in it")));
        } catch (JsonProcessingException e) {
            throw new Problems(List.of(Problem.of(NAME, "is not JSON: " + e.getOriginalMessage())));
        }
    }

    private static Tree read(String path, JsonNode json, JsonNode origins, int depth) {
        if (depth > 32) {
            throw new Problems(List.of(Problem.of(NAME, "is nested more than 32 deep")));
        }
        Origin origin = Origin.unwritten(origins.path(path).asText());
        if (json.isObject()) {
            Map<String, Tree> entries = new LinkedHashMap<>();
            json.properties().forEach(entry -> {
                String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                entries.put(entry.getKey(), read(below, entry.getValue(), origins, depth + 1));
            });
            return new Tree.Section(entries, Map.of(), origin);
        }
        if (json.isArray()) {
            List<Tree> items = new ArrayList<>();
            json.forEach(item -> items.add(read(path, item, origins, depth + 1)));
            return new Tree.Items(items, origin);
        }
        return new Tree.Text(json.asText(), true, origin);
    }
}
