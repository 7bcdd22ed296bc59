package weir.live.page;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.live.LiveAnswer;

/**
 * Answers that are given again for a while, so that however many ask, making and packing them takes no more than a
 * twentieth of a core for each of a few paths. Safe for many threads.
 */
final class KeptAnswers {
    private static final long SHARE = 20;
    /** Answers for pages that are behind by different versions. */
    private static final int MOST = 8;

    private final LongSupplier nanos;
    private final String type;
    private final Map<String, Kept> kept = new HashMap<>();
    private String state = "";

    private record Kept(LiveAnswer answer, long madeAt, long took) {}

    /** Hears when an answer was made, and how long it took. */
    interface Cost {
        void spent(long nowNanos, long tookNanos);
    }

    /** @param type of all of them */
    KeptAnswers(LongSupplier nanos, String type) {
        this.nanos = nanos;
        this.type = type;
    }

    /** The answer with this key; one of another state is never given. */
    synchronized LiveAnswer get(String key, String ofState, Supplier<String> text, Cost cost) {
        if (!state.equals(ofState)) {
            kept.clear();
            state = ofState;
        }
        long began = nanos.getAsLong();
        Kept before = kept.get(key);
        if (before != null && began - before.madeAt < before.took * SHARE) {
            return before.answer;
        }
        LiveAnswer answer = LiveAnswer.packed(type, text.get().getBytes(StandardCharsets.UTF_8));
        long ended = nanos.getAsLong();
        if (kept.size() >= MOST) {
            kept.clear();
        }
        kept.put(key, new Kept(answer, ended, ended - began));
        cost.spent(ended, ended - began);
        return answer;
    }
}
