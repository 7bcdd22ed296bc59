package weir.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A limit on the bytes of requests that a server has read but not finished. A waiting request occupies no thread. Safe
 * for many threads.
 */
public final class ByteBudget {
    /** The number of waiting requests to wake up together, because the released bytes may suffice for several. */
    private static final int WOKEN = 16;

    private final long most;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private long taken;

    public ByteBudget(long most) {
        this.most = most;
    }

    /** Takes the bytes; false if too few are free. A request above the whole budget is admitted as the only request. */
    public synchronized boolean take(long bytes) {
        if (taken > 0 && taken + bytes > most) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Calls back once, from any thread, when bytes may be free; the caller then repeats {@link #take}. */
    void await(Runnable room) {
        synchronized (this) {
            if (taken > 0) {
                waiting.add(room);
                return;
            }
        }
        room.run();
    }

    synchronized void forget(Runnable room) {
        waiting.remove(room);
    }

    public void release(long bytes) {
        List<Runnable> woken = new ArrayList<>();
        synchronized (this) {
            taken -= bytes;
            Iterator<Runnable> next = waiting.iterator();
            while (next.hasNext() && woken.size() < WOKEN) {
                woken.add(next.next());
                next.remove();
            }
        }
        woken.forEach(Runnable::run);
    }
}
