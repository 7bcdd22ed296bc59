package weir.plan;

import java.util.Arrays;
import java.util.List;

/**
 * Every named reason to doubt a number: how much it matters, when it is raised, what it weakens and what to do about it.
 * Where a caveat can tell what it weakens more exactly, it does. Of one level, what weakens most comes first: everything, then
 * rates and latencies, then comparisons, then what is said about one property, then far percentiles. That is the order in
 * which they are told.
 */
public enum CaveatType {
    LEDGER_DOES_NOT_BALANCE(
            Level.INVALID,
            "the counts of a trial do not add up, or a message ended in two ways",
            "every count",
            "This is a fault of Weir; please report it with the run folder."),
    CLOCK_STEPPED(
            Level.INVALID,
            "the wall clock moved by more than 50 ms against the steady clock while a trial ran, or the steady clocks of two machines jumped apart",
            "every time of day",
            "Let the clock settle (chrony, NTP) and run again."),
    NOTHING_MEASURED(
            Level.INVALID,
            "no message was due, acknowledged or received in the measured phase of a trial",
            "every figure",
            "Use a larger backlog or a shorter warm-up, let the trial run on, or look at how it ended."),
    NOT_STEADY(
            Level.INVALID,
            "throughput or latency drifted between the first and the last third of the measured time",
            "every figure",
            "Warm up longer (warmup: { until: steady }), lower the rate, or find out what drifts."),
    GENERATOR_LATE(
            Level.INVALID,
            "at a step the generator itself, or one of its workers, was late by more than 5 ms at p99, and by more than a quarter of the response, or its process stood still for more than a quarter of the time",
            "response",
            "Give the generator a core of its own, lower the rate, or use more workers."),
    RATE_MISSED(
            Level.INVALID,
            "less than 99.5 % of the offered rate was achieved, and most of the response was the generator's own lateness",
            "achieved, response",
            "Give the generator a core of its own, lower the rate, or use more producers or workers."),
    RECEIVED_BEFORE_DUE(
            Level.INVALID,
            "messages were received before they were due, by more than the clocks of sender and reader may differ",
            "e2e",
            "Look at clock.error.ms and clock.jump.ms in probes.csv: a clock drifts by more than 100 ppm, or was set."),
    E2E_UNKNOWN(
            Level.INVALID,
            "the clocks of sender and reader may differ by more than e2e at p50",
            "e2e",
            "Place the workers where the way to the conductor is shorter and quieter, or send and read in one worker."),
    CLEAN_UP_FAILED(
            Level.INVALID,
            "at the end of a trial the cluster did not answer, or did not delete what the trial had made",
            "every figure of this trial, and whatever runs on this cluster next",
            "Find out why the cluster did not answer; 'weir doctor --clean' deletes what is left on a cluster that is not Weir's own."),
    HOST_LOST(
            Level.INVALID,
            "another machine or a pod of the trial was lost, evicted or deleted while it ran",
            "every figure of this trial",
            "Look at what is said of it; give pods what they need (within), so that no node evicts them."),
    PROPERTY_IGNORED(
            Level.INVALID,
            "a property was given where it has no effect",
            "every statement about this property",
            "Leave the property out, or give it where it works."),
    INTERRUPTED(Level.DOUBT, "a trial was ended before its time", "every figure", "Run it again for the whole length."),
    WARM_UP_CUT_SHORT(
            Level.DOUBT,
            "the load was still changing when the warm-up reached its maximum",
            "every figure",
            "Raise warmup.max, or find out what keeps the load from settling."),
    FIRST_TRIAL_COLD(
            Level.DOUBT,
            "brokers had carried no load before a trial with less than 10 s of warm-up, and had before those that it is compared with",
            "every figure of this trial, and what is compared with it",
            "Warm up longer, or start a new cluster for every trial (cluster.fresh: trial)."),
    NOT_WARM(
            Level.DOUBT,
            "a step failed to carry its rate, and a later, faster step, or every later trial, carried more: brokers or generator"
                    + " were not warm yet",
            "what the slower steps say, and which rates are not sustained",
            "Warm up as fast as it goes and longer (warmup: { for: 15s, rate: max }), or ask weir capacity, which warms up first."),
    SLOW_PATH(
            Level.DOUBT,
            "of two ways through HTTP servers one carried less than a tenth of what the other did",
            "every ratio to this variant",
            "Look for a fault on this way before you call it a cost: connections that are not kept, segments that are sent again, servers that are not there."),
    CONNECTIONS_NOT_KEPT(
            Level.DOUBT,
            "more than one connection was opened for every ten requests",
            "acked/s, response",
            "Find out who closes connections: a server or a balancer without keep-alive, or one that gives up waiting."),
    BREAK_IS_OURS(
            Level.DOUBT,
            "the generator alone, against a null target, does not sustain the step at which a variant broke",
            "breaking-point",
            "Give the generator cores of its own, or more of them, or use engine: wire; the brokers may take more."),
    PARTITIONS_DO_NOT_ADD(
            Level.DOUBT,
            "as fast as they go, several partitions carried less than four fifths of what they would if each carried what one does alone",
            "partitions",
            "Something else than the partition is the limit here, so fewer may do: ask on machines where they add, with more brokers or more for the load."),
    GENERATOR_NEAR_ITS_LIMIT(
            Level.DOUBT,
            "the generator used more than 90 % of the cores it may use, or sent more than 80 % of what it can send here against a null target, and was busy (half a core or more) or late; or a rate was missed, and of the time in which its senders were behind more than a quarter was its own",
            "acked/s, received/s",
            "The brokers may take more: ask with engine: wire, or use more machines for the load."),
    THROTTLED_BY_QUOTA(
            Level.DOUBT,
            "brokers made a client wait for its quota",
            "acked/s, received/s, response",
            "Lift the quota of this client, or name it in the question."),
    PROXY_ON_THE_PATH(
            Level.DOUBT,
            "clients do not reach a broker at the address where it listens: something in between forwards",
            "response, e2e and every rate, which are those of the path too",
            "Connect to the brokers themselves, or name what is in between in the question."),
    SHARED_CORES(
            Level.DOUBT,
            "brokers and generator run on the same cores",
            "rates near the limit, tail latencies",
            "Pin brokers and generator to cores of their own, or test a cluster on other machines."),
    HOST_NOISY(
            Level.DOUBT,
            "other machines took more than 2 % of the CPU time, other processes more than 10 % of it, tasks waited for memory for more than 1 % of the time, the machine benchmarks differ after the run, or a limit was searched for while all cores together worked a fifth faster at one moment than at another",
            "tail latencies, rates near the limit",
            "Stop what else runs here, or repeat the trials, interleaved, and look at their spread."),
    STRESS_MISSED(
            Level.DOUBT,
            "a stress of the machine held less than nine tenths of the memory that it was to hold, wrote less than half of what it was to write while the disk was idle for half of the time, or used less than half of the cores that it was to compute on",
            "every figure of this trial that the stress was to change",
            "Look at the stress log in the trial's folder; give it a longer time, a smaller amount, or wider limits (within)."),
    WRITEBACK_UNLIMITED(
            Level.DOUBT,
            "brokers have a limit of the disk, and cgroup v1 keeps it for what they write through and for what they read, not for what the kernel writes for them later",
            "what the limit (within.io) does to writes",
            "Use a machine with cgroup v2, or slow down a disk of the broker's own (during: disk with io), which holds back both."),
    FAULT_MISSED(
            Level.DOUBT,
            "a broker that was disturbed led no partition of the load, and nothing stopped",
            "what is said about this disturbance",
            "Give the topics at least as many partitions as there are brokers, or disturb another broker."),
    BRIDGE_DIED(
            Level.DOUBT,
            "a gateway, a balancer or a process on the way of events ended although nothing asked it to",
            "every figure of this trial",
            "Look at its log in the trial's folder."),
    SERVERS_TAKEN_OUT(
            Level.DOUBT,
            "a balancer took a server out, because it did not answer in time",
            "failed, response, and every rate of this trial",
            "Find out why the server did not answer the balancer (its log, its CPU), or allow it more time."),
    FEW_REPEATS(
            Level.DOUBT,
            "variants are compared, and one of them has fewer than four trials",
            "every comparison",
            "Repeat each variant at least four times (repeat: 4) to tell a difference from noise."),
    VARIANTS_DIFFER_IN_MORE(
            Level.DOUBT,
            "effective properties differ between variants, and the variants do not say so",
            "every comparison of these variants",
            "Set the property in all variants alike, or say the difference in the variant."),
    BROKERS_COUNT_DIFFERS(
            Level.DOUBT,
            "the brokers counted fewer records of our topics than they acknowledged to us, or more than were sent and found twice",
            "acked, and every figure of it",
            "Look who else writes into these topics, and for retries without idempotence, which write twice."),
    BROKERS_UNSEEN(
            Level.NOTE,
            "the metrics of given brokers (cluster.metrics) could not be read for a part of a trial",
            "what brokers tell of themselves",
            "Look at the exporter and at the way to it; what it did not tell is missing, and nothing else."),
    UNREAD(
            Level.DOUBT,
            "acknowledged records were not read before the time was up; they are not counted as lost",
            "received, lost, e2e",
            "Give the readers more time (drain) or more consumers."),
    E2E_UNCERTAIN(
            Level.DOUBT,
            "the clocks of sender and reader may differ by more than a tenth of e2e at p50",
            "e2e",
            "Place the workers where the way to the conductor is shorter and quieter, or send and read in one worker."),
    EXPIRED(
            Level.DOUBT,
            "retention or compaction removed records before they were read",
            "received, lost",
            "Lengthen retention.ms, or let the readers keep up."),
    CACHE_NOT_AS_ASKED(
            Level.DOUBT,
            "a backlog was to be read cold and a tenth of it or more was in the page cache, or less than a tenth came"
                    + " from the disk; or it was to be read warm, and more than a tenth came from the disk",
            "catch-up, received/s of readers that are far behind",
            "Cold: read ahead of readers or a mapping may have kept it; look at page-cache in probes.csv. Warm: make the"
                    + " backlog smaller than the free memory."),
    COMPRESSES_UNREALISTICALLY(
            Level.DOUBT,
            "compression is on, and the values are all the same or shrink to less than a tenth",
            "every statement about compression, and every rate with it",
            "Use values like your own (load.value.file), or content such as { random: 50% }."),
    OVERRIDDEN_BY_THE_CLIENT(
            Level.DOUBT,
            "a client changed by itself what it was asked for, or what follows from it",
            "every statement about this property",
            "Ask for a combination that the client accepts."),
    OVERRIDDEN_BY_THE_TOPIC(
            Level.DOUBT,
            "a topic stores what it is sent in another compression than the producer uses",
            "every statement about compression",
            "Ask for compression in one place: the producer, or the topic."),
    GENERATOR_PAUSED(
            Level.DOUBT,
            "the generator's JVM stood still, for its collector or at a safepoint, for more than 20 ms and a tenth of the response at p99",
            "maxima and far percentiles",
            "Raise the heap of the worker, or measure longer so that one pause weighs less."),
    PROFILE_TOO_SHORT(
            Level.DOUBT,
            "a process was profiled for less than half of the measured time of its trial, or not at all",
            "its flame graph, and the table and the differences of its frames",
            "Measure longer, or find out why the profiler began late: a JVM that is paused or gets no CPU answers late, and a process that ends takes its profile with it."),
    MOST_FAILED(
            Level.DOUBT,
            "more than half of what was due failed, was never answered or never sent",
            "every percentile of response, which is a bound",
            "Look at the reasons of what failed, or offer less where it was never sent; success has the response of what succeeded."),
    CHANNEL_FULL(
            Level.NOTE,
            "a process on the way of events held as many bytes as it may, and answered 429",
            "response, failed",
            "This is back-pressure: raise bridge.memory, lower the rate, or find out why the receiver is slower."),
    EVENTS_DROPPED(
            Level.NOTE,
            "events were accepted and then dropped: after their last retry, without a dead letter sink, or as the filter did not want them",
            "lost",
            "Try again more often (bridge.delivery, retry), or name a deadLetterSink."),
    SEVERAL_CHANGES(
            Level.NOTE,
            "variants that are compared differ in several settings at once",
            "the cause of a difference",
            "Change one setting at a time, or cross them in a grid, to tell which of them it was."),
    PRESET_NOT_MET(
            Level.NOTE,
            "a preset asks of the brokers of a given cluster what they do not have",
            "what is said about the goal of the preset",
            "weir presets NAME --bootstrap-server HOST:PORT lists what its operator has to do; a run sets the rest."),
    DATA_ON_TMPFS(
            Level.NOTE,
            "the brokers' data lay in memory",
            "anything that a disk would slow down",
            "Set cluster.data to a folder on a disk."),
    PAGE_CACHE_ABSORBED_THE_WRITES(
            Level.NOTE,
            "less than a tenth of the free memory was written, so the page cache could hold all of it",
            "rates that a disk would have to sustain",
            "Write more than a tenth of the memory, or say what of this matters to you."),
    READ_FROM_THE_PAGE_CACHE(
            Level.NOTE,
            "a backlog was read, and less than a tenth of it came from the disk",
            "received/s of readers that are far behind",
            "Make the backlog larger than the memory, or have it dropped from there (load.backlog, cache: cold)."),
    PARTITIONS_ADDED(
            Level.NOTE,
            "partitions were added to a topic while the load ran",
            "rates and latencies before and after that moment, which are of different numbers of partitions",
            "Add them before the run, or look at the time axis on both sides of that moment."),
    EARLIER_RECORDS_COUNTED(
            Level.NOTE,
            "acked/s or received/s lies more than 2 % above offered/s, because records of the warm-up were acked or received in the measured seconds",
            "acked/s and received/s, which count what happened in the measured seconds",
            "Measure longer, or warm up at a rate that is sustained; achieved counts only what was due in a step."),
    THIN_PERCENTILE(
            Level.NOTE, "a percentile has fewer than ten samples beyond it", "far percentiles", "Measure longer."),
    FEW_PROFILER_SAMPLES(
            Level.NOTE,
            "a profile has fewer than 100 samples, as of a process that is idle or hardly waits",
            "shares of its frames",
            "Measure longer, or profile at a higher rate.");

    private final Level level;
    private final String when;
    private final String weakens;
    private final String advice;

    CaveatType(Level level, String when, String weakens, String advice) {
        this.level = level;
        this.when = when;
        this.weakens = weakens;
        this.advice = advice;
    }

    /** How much a caveat matters; only an invalid one makes the trial invalid. */
    public enum Level {
        NOTE,
        DOUBT,
        INVALID;

        /** Returns the level that is left when the experiment accepts the caveat. */
        public Level lowered() {
            return this == INVALID ? DOUBT : NOTE;
        }
    }

    /** As plans and reports write it: {@code shared-cores}. */
    public String word() {
        return EnumNames.of(this);
    }

    public Level level() {
        return level;
    }

    public String when() {
        return when;
    }

    public String weakens() {
        return weakens;
    }

    public String advice() {
        return advice;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(CaveatType::word).toList();
    }

    /**
     * The type of this name.
     *
     * @throws IllegalArgumentException when there is no such caveat, with the nearest one and all there are
     */
    public static CaveatType named(String word) {
        for (CaveatType type : values()) {
            if (type.word().equals(word)) {
                return type;
            }
        }
        List<String> near = NearestWord.to(word, words());
        throw new IllegalArgumentException("'" + word + "' is no caveat"
                + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?") + "; allowed: "
                + String.join(", ", words()));
    }
}
