package weir.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bytes that a server may hold: of requests that it has read and that are not settled yet. Who finds no room waits
 * for it without a thread. Safe for many threads.
 */
public final class ByteBudget {
    /** More than one, as what is given back at once may be room for many. */
    private static final int WOKEN = 16;

    private final long most;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private long taken;

    public ByteBudget(long most) {
        this.most = most;
    }

    /** False when there is no room. What is larger than all of it is let in when nothing else is there. */
    public synchronized boolean take(long bytes) {
        if (taken > 0 && taken + bytes > most) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Calls once, from any thread, when there may be room: then the bytes have to be taken again. */
    void await(Runnable room) {
        synchronized (this) {
            if (taken > 0) {
                waiting.add(room);
                return;
            }
        }
        room.run();
    }

    /** Whoever awaits room does not want it any more. */
    synchronized void forget(Runnable room) {
        waiting.remove(room);
    }

    public void giveBack(long bytes) {
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
