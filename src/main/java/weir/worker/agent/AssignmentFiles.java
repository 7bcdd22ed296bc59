package weir.worker.agent;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.LoadSpec;
import weir.plan.ReceiverSpec;
import weir.plan.ValueSpec;
import weir.worker.Assignment;
import weir.worker.agent.HostCall.Offered;
import weir.worker.link.LinkJson;

/**
 * The files of this machine that an assignment names: those of values, and the trust stores, keys and certificates of
 * clients. Hosts keep the latter only for the run.
 *
 * @param texts the absolute path of each file by the text that names it in the assignment
 */
record AssignmentFiles(Assignment assignment, Map<String, Offered> texts) {
    private static final String LOCATION = ".location";

    AssignmentFiles {
        texts = Map.copyOf(texts);
    }

    static AssignmentFiles of(Assignment assignment) {
        Map<String, Offered> texts = new LinkedHashMap<>();
        Path folder = Path.of(assignment.folder()).toAbsolutePath();
        LoadSpec load = assignment.variant().load();
        if (load.messages().value() instanceof ValueSpec.FromFile from) {
            add(texts, from.file().toString(), folder, true);
        }
        add(texts, load.producers().http().trusted().toString(), folder, false);
        ReceiverSpec receiver = load.consumers().receiver();
        add(texts, receiver.certificate().toString(), folder, false);
        add(texts, receiver.key().toString(), folder, false);
        for (SortedMap<String, String> properties :
                List.of(assignment.client(), assignment.producer(), assignment.consumer())) {
            add(texts, properties);
        }
        return new AssignmentFiles(assignment, texts);
    }

    static SortedMap<String, String> placed(SortedMap<String, String> properties, RemoteHost host) {
        Map<String, Offered> texts = new LinkedHashMap<>();
        add(texts, properties);
        Map<String, String> there = sent(texts, host);
        SortedMap<String, String> placed = new TreeMap<>(properties);
        placed.replaceAll((name, value) -> there.getOrDefault(value, value));
        return placed;
    }

    private static void add(Map<String, Offered> texts, SortedMap<String, String> properties) {
        properties.forEach((name, value) -> {
            if (value.startsWith("/") || name.endsWith(LOCATION)) {
                add(texts, value, Path.of("").toAbsolutePath(), false);
            }
        });
    }

    private static void add(Map<String, Offered> texts, String text, Path folder, boolean kept) {
        try {
            Path file = folder.resolve(text).normalize();
            if (!text.isEmpty() && !texts.containsKey(text) && Files.isRegularFile(file)) {
                texts.put(text, RemoteHost.offered(file, kept));
            }
        } catch (InvalidPathException noFile) {
            return;
        }
    }

    Assignment placed(RemoteHost host) {
        return texts.isEmpty() ? assignment : LinkJson.replaced(assignment, Assignment.class, sent(texts, host));
    }

    private static Map<String, String> sent(Map<String, Offered> texts, RemoteHost host) {
        if (texts.isEmpty()) {
            return Map.of();
        }
        String root = host.place(new ArrayList<>(texts.values()));
        Map<String, String> there = new HashMap<>();
        texts.forEach((text, file) -> there.put(text, root + file.path()));
        return there;
    }
}
