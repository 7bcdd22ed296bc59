package weir.run;

import static weir.results.Caveat.Level.DOUBT;
import static weir.results.Caveat.Level.INVALID;
import static weir.results.Caveat.Level.NOTE;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.plan.ClusterSpec;
import weir.plan.Property;
import weir.plan.Variant;
import weir.results.Canaries;
import weir.results.Caveat;
import weir.results.Figures;
import weir.results.LatencyResult;
import weir.results.StepResult;
import weir.results.Written;

/** The reasons to doubt the numbers of one trial. Every rule stands here once, with its bounds. */
final class Doubts {
    /** Late is ours. Below this it changes nothing that a client of Kafka could feel. */
    private static final double LATE_MILLIS = 5;
    /** … and below this share of the response time it is not what the response time consists of. */
    private static final double LATE_SHARE = 0.25;

    private static final double GENERATOR_PAUSE_MILLIS = 20;
    private static final double GENERATOR_CPU_SHARE = 0.9;
    private static final double STEAL_PERCENT = 2;
    private static final double STEPPED_MILLIS = 50;

    private final int trial;
    private final List<Caveat> found = new ArrayList<>();

    Doubts(int trial) {
        this.trial = trial;
    }

    List<Caveat> found() {
        return List.copyOf(found);
    }

    /** Lowers those that the experiment accepts to notes, with its reason. */
    static List<Caveat> accept(List<Caveat> caveats, SortedMap<String, String> accepted) {
        return caveats.stream()
                .map(c -> {
                    @Nullable String reason = accepted.get(c.type());
                    return reason == null
                            ? c
                            : new Caveat(
                                    c.type(),
                                    NOTE,
                                    c.evidence() + " (accepted: " + reason + ")",
                                    c.advice(),
                                    c.weakens(),
                                    c.trial());
                })
                .toList();
    }

    private void add(
            String type, Caveat.Level level, String weakens, String advice, String evidence, Object... values) {
        found.add(new Caveat(type, level, String.format(Locale.ROOT, evidence, values), advice, weakens, trial));
    }

    /** Whether we, and not the system, made messages wait. */
    void late(List<StepResult> steps) {
        for (StepResult step : steps) {
            @Nullable Double late = step.figures().late().p99();
            @Nullable Double response = step.figures().response().p99();
            if (late != null && response != null && late > LATE_MILLIS && late > LATE_SHARE * response) {
                add(
                        "generator-late",
                        INVALID,
                        "response of " + step.label(),
                        "Give the generator a core of its own, lower the rate, or use more workers.",
                        "at %s the generator itself was late by %.1f ms at p99, where the response took %.1f ms",
                        step.label(),
                        late,
                        response);
            }
        }
    }

    void balance(Balance balance) {
        if (!balance.balances()) {
            add(
                    "ledger-does-not-balance",
                    INVALID,
                    "every count",
                    "This is a fault of Weir; please report it with the run folder.",
                    "due %,d, sent %,d + unsent %,d; acked %,d + failed %,d + aborted %,d + unresolved %,d; twice %,d",
                    balance.due(),
                    balance.sent(),
                    balance.unsent(),
                    balance.acked(),
                    balance.failed(),
                    balance.aborted(),
                    balance.unresolved(),
                    balance.resolvedTwice());
        }
        if (balance.unread() > 0) {
            add(
                    "unread",
                    DOUBT,
                    "received, lost, e2e",
                    "Give the readers more time (drain) or more consumers.",
                    "%,d records were acknowledged and not read before the time was up; they are not counted as lost",
                    balance.unread());
        }
        if (balance.expired() > 0) {
            add(
                    "expired",
                    DOUBT,
                    "received, lost",
                    "Lengthen retention.ms, or let the readers keep up.",
                    "%,d records were removed by retention or compaction before they were read",
                    balance.expired());
        }
    }

    /** Both in milliseconds, over the trial. */
    void clock(double wall, double steady) {
        if (Math.abs(wall - steady) > STEPPED_MILLIS) {
            add(
                    "clock-stepped",
                    INVALID,
                    "every time of day",
                    "Let the clock settle (chrony, NTP) and run again.",
                    "the wall clock moved by %.0f ms against the steady clock during the trial",
                    wall - steady);
        }
    }

    void thin(Figures figures) {
        LatencyResult response = figures.response().count() > 0 ? figures.response() : figures.e2e();
        if (response.count() > 0 && response.count() < 1_000) {
            add(
                    "thin-percentile",
                    NOTE,
                    "p99 and beyond",
                    "Measure longer.",
                    "%,d messages leave fewer than ten beyond p99",
                    response.count());
        } else if (response.count() > 0 && response.count() < 100_000) {
            add(
                    "thin-percentile",
                    NOTE,
                    response.count() < 10_000 ? "p99.9 and beyond" : "p99.99",
                    "Measure longer.",
                    "%,d messages leave fewer than ten beyond %s",
                    response.count(),
                    response.count() < 10_000 ? "p99.9" : "p99.99");
        }
    }

    void warmUpCutShort(double seconds) {
        add(
                "warm-up-cut-short",
                DOUBT,
                "every figure",
                "Raise warmup.max, or find out what keeps the load from settling.",
                "after %.0f s of warm-up the load was still changing",
                seconds);
    }

    void sharedCores(Variant variant, int cores) {
        if (variant.cluster() instanceof ClusterSpec.Embedded embedded
                && embedded.within().cpus().isEmpty()) {
            add(
                    "shared-cores",
                    DOUBT,
                    "rates near the limit, tail latencies",
                    "Pin brokers and generator to cores of their own, or test a cluster on other machines.",
                    "%d broker%s and the generator share %d cores",
                    embedded.brokers().size(),
                    embedded.brokers().size() == 1 ? "" : "s",
                    cores);
        }
    }

    void tmpfs(String filesystem) {
        if (filesystem.equals("tmpfs")) {
            add(
                    "data-on-tmpfs",
                    NOTE,
                    "anything that a disk would slow down",
                    "Set cluster.data to a folder on a disk.",
                    "the brokers' data lay in memory");
        }
    }

    /** {@code bytes} written by the load, against what may be dirty in memory before the kernel makes writers wait. */
    void pageCache(double bytes, double memoryAvailable) {
        if (bytes > 0 && bytes < 0.1 * memoryAvailable) {
            add(
                    "page-cache-absorbed-the-writes",
                    NOTE,
                    "rates that a disk would have to sustain",
                    "Write more than a tenth of the memory, or say what of this matters to you.",
                    "%.0f MiB were written on a machine with %.0f MiB of free memory: the disk was never waited for",
                    bytes / (1 << 20),
                    memoryAvailable / (1 << 20));
        }
    }

    void generator(double pauseMillis, double cores, int available) {
        if (pauseMillis > GENERATOR_PAUSE_MILLIS) {
            add(
                    "generator-paused",
                    DOUBT,
                    "maxima and far percentiles",
                    "Raise the heap of the worker, or measure longer so that one pause weighs less.",
                    "the generator's JVM stood still for %.0f ms at the longest",
                    pauseMillis);
        }
        if (cores > GENERATOR_CPU_SHARE * available) {
            add(
                    "generator-near-its-limit",
                    DOUBT,
                    "acked/s",
                    "The brokers may take more: use more machines for the load.",
                    "the generator used %.1f of %d cores",
                    cores,
                    available);
        }
    }

    void steal(double percent) {
        if (percent > STEAL_PERCENT) {
            add(
                    "host-noisy",
                    DOUBT,
                    "tail latencies, rates near the limit",
                    "Repeat the trials, interleaved, and look at their spread.",
                    "other machines took %.1f %% of this one's CPU time",
                    percent);
        }
    }

    /** The machine before and after the run, where the two are not the same. */
    static List<Caveat> drifted(List<Canaries.Pair> drifted) {
        if (drifted.isEmpty()) {
            return List.of();
        }
        List<String> changes = drifted.stream()
                .map(pair -> String.format(
                        Locale.ROOT,
                        "%s %s before, %s %s after",
                        pair.before().name(),
                        Written.number(pair.before().median()),
                        Written.number(pair.after().median()),
                        pair.after().unit()))
                .toList();
        return List.of(new Caveat(
                "host-noisy",
                DOUBT,
                "without any load the machine did the same work at another speed: " + String.join("; ", changes),
                "Find out what else runs here ('weir doctor'), then repeat the run; interleaved trials suffer alike.",
                "comparisons between early and late trials",
                null));
    }

    void throttled(double millis) {
        if (millis > 0) {
            add(
                    "throttled-by-quota",
                    DOUBT,
                    "acked/s, response",
                    "Lift the quota of this client, or name it in the question.",
                    "the brokers throttled requests by up to %.0f ms",
                    millis);
        }
    }

    void interrupted(String reason) {
        add(
                "interrupted",
                DOUBT,
                "every figure",
                "Run it again for the whole length.",
                "the trial was ended before its time: %s",
                reason);
    }

    void overridden(List<Property> properties) {
        for (Property property : properties) {
            if (property.source() == Property.Source.OVERRIDDEN) {
                add(
                        "overridden-by-the-client",
                        DOUBT,
                        property.name(),
                        "Ask for a combination that the client accepts.",
                        "%s: %s is %s by itself, asked was %s",
                        property.of(),
                        property.name(),
                        property.effective(),
                        property.requested().isEmpty()
                                ? "nothing (default " + property.byDefault() + ")"
                                : property.requested());
            }
        }
    }
}
