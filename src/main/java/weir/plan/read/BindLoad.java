package weir.plan.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.plan.BacklogSpec;
import weir.plan.GroupSpec;
import weir.plan.HttpSpec;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.RateSpec;
import weir.plan.Ratio;
import weir.plan.ReceiverSpec;
import weir.plan.TransactionSpec;
import weir.plan.ValueSpec;
import weir.plan.syntax.CheckedSection;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.ValueSyntax;

/** Makes records of the section {@code load}. */
final class BindLoad {
    private BindLoad() {}

    /**
     * @param names the topics that are used unless the load says otherwise: those of the variant, without dead letters
     * @param otherwise where it runs unless it says so itself
     */
    static LoadSpec load(CheckedSection part, List<String> names, PlacedSpec otherwise, PlacedSpec.Kubernetes pods) {
        boolean all = part.text("topics").equals("all");
        return new LoadSpec(
                part.word("workload", LoadSpec.Workload.class),
                part.word("target", LoadSpec.Target.class),
                rate(part),
                all ? names : part.texts("topics"),
                new LoadSpec.Stream(part.text("from"), part.text("to"), commit(part)),
                backlog(part),
                new LoadSpec.Producers(
                        part.count("producers"), engine(part, "send"), part.properties("producer"), http(part)),
                new LoadSpec.Consumers(
                        part.count("consumers"),
                        engine(part, "receive"),
                        part.properties("consumer"),
                        group(part),
                        receiver(part)),
                new LoadSpec.Messages(key(part), value(part.part("value"))),
                transaction(part),
                part.count("workers"),
                BindCluster.limits(part.part("within")),
                BindCluster.placed(part, otherwise, pods));
    }

    private static LoadSpec.Commit commit(CheckedSection part) {
        return part.has("commit") ? part.word("commit", LoadSpec.Commit.class) : LoadSpec.Commit.EACH_BATCH;
    }

    private static HttpSpec http(CheckedSection part) {
        CheckedSection http = part.part("http");
        return new HttpSpec(
                part.count("connections"),
                http.text("version").equals("2") ? HttpSpec.Version.HTTP_2 : HttpSpec.Version.HTTP_1_1,
                http.word("request", HttpSpec.Request.class),
                http.count("batch"),
                http.duration("linger"),
                http.duration("timeout"),
                http.count("retries"),
                http.has("tls") ? http.path("tls") : Path.of(""),
                http.has("token") ? http.text("token") : "");
    }

    private static ReceiverSpec receiver(CheckedSection part) {
        CheckedSection receiver = part.part("receiver");
        return new ReceiverSpec(
                part.text("listen"),
                receiver.duration("delay"),
                receiver.percent("fail"),
                receiver.text("token"),
                receiver.path("certificate"),
                receiver.path("key"));
    }

    private static LoadSpec.Engine engine(CheckedSection part, String side) {
        return part.isSection("engine")
                ? part.part("engine").word(side, LoadSpec.Engine.class)
                : part.word("engine", LoadSpec.Engine.class);
    }

    static RateSpec rate(CheckedSection part) {
        if (!part.isSection("rate")) {
            return PaceSyntax.pace(part.text("rate"));
        }
        CheckedSection rate = part.part("rate");
        if (rate.has("steps")) {
            List<RateSpec.Step> steps = new ArrayList<>();
            rate.texts("steps").forEach(step -> steps.addAll(PaceSyntax.steps(step)));
            return new RateSpec.Steps(
                    steps, rate.duration("rest"), rate.text("stop").equals("broken"));
        }
        if (rate.has("ramp")) {
            CheckedSection ramp = rate.part("ramp");
            return new RateSpec.Ramp(ramp.rate("from"), ramp.rate("to"), ramp.duration("over"));
        }
        if (rate.has("poisson")) {
            return new RateSpec.Poisson(rate.rate("poisson"));
        }
        if (rate.has("burst")) {
            return PaceSyntax.burst(rate.text("burst"));
        }
        return new RateSpec.Replay(rate.path("replay"));
    }

    private static BacklogSpec backlog(CheckedSection part) {
        if (!part.isSection("backlog")) {
            return ValueSyntax.backlog(part.text("backlog"));
        }
        CheckedSection backlog = part.part("backlog");
        BacklogSpec.Cache cache = backlog.word("cache", BacklogSpec.Cache.class);
        return backlog.has("records")
                ? new BacklogSpec.Records(backlog.records("records"), cache)
                : new BacklogSpec.Bytes(backlog.size("size"), cache);
    }

    private static GroupSpec group(CheckedSection part) {
        if (part.isSection("group")) {
            CheckedSection group = part.part("group");
            return new GroupSpec.Named(
                    group.text("name"), group.word("protocol", GroupSpec.Protocol.class), group.flag("existing"));
        }
        String name = part.text("group");
        return name.equals("none")
                ? new GroupSpec.Assigned()
                : new GroupSpec.Named(name, GroupSpec.Protocol.CLASSIC, false);
    }

    private static KeySpec key(CheckedSection part) {
        CheckedSection key = part.part("key");
        if (key.has("skewed")) {
            CheckedSection skewed = key.part("skewed");
            return new KeySpec.Skewed(skewed.records("distinct"), skewed.decimal("exponent"));
        }
        if (key.has("column")) {
            return new KeySpec.Column(key.count("column"));
        }
        return switch (part.text("key")) {
            case "sequence" -> new KeySpec.Sequence();
            case "random" -> new KeySpec.Random();
            default -> new KeySpec.None();
        };
    }

    static ValueSpec value(CheckedSection part) {
        if (part.has("file")) {
            return new ValueSpec.FromFile(
                    Path.of(part.text("file")), each(part), part.word("pick", ValueSpec.Pick.class));
        }
        return new ValueSpec.Generated(size(part), content(part));
    }

    private static ValueSpec.Each each(CheckedSection part) {
        if (part.isSection("each")) {
            return new ValueSpec.Each.Delimited(part.part("each").text("delimiter"));
        }
        return part.text("each").equals("file") ? new ValueSpec.Each.Whole() : new ValueSpec.Each.Line();
    }

    private static ValueSpec.Size size(CheckedSection part) {
        if (!part.isSection("size")) {
            return ValueSyntax.sizes(part.text("size"));
        }
        Map<String, String> portions = new LinkedHashMap<>();
        part.part("size").tree().entries().forEach((size, share) -> portions.put(size, share.line()));
        return ValueSyntax.mix(portions);
    }

    private static ValueSpec.Content content(CheckedSection part) {
        if (part.isSection("content")) {
            return new ValueSpec.Content.PartlyRandom(part.part("content").percent("random"));
        }
        return switch (part.text("content")) {
            case "letters" -> new ValueSpec.Content.Letters();
            case "same" -> new ValueSpec.Content.Same();
            case "sequence" -> new ValueSpec.Content.Sequence();
            case "planes" -> new ValueSpec.Content.Planes();
            default -> new ValueSpec.Content.Random();
        };
    }

    private static TransactionSpec transaction(CheckedSection part) {
        if (!part.isSection("transaction")) {
            boolean none = part.text("transaction").equals("none");
            return none ? new TransactionSpec.None() : new TransactionSpec.Each(new Ratio(0));
        }
        CheckedSection transaction = part.part("transaction");
        Ratio abort = transaction.percent("abort");
        if (transaction.has("records")) {
            return new TransactionSpec.Records(transaction.records("records"), abort);
        }
        return transaction.has("every")
                ? new TransactionSpec.Every(transaction.duration("every"), abort)
                : new TransactionSpec.Each(abort);
    }
}
