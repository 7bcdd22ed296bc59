package weir.time;

import java.util.concurrent.ThreadFactory;

/** A factory of threads that do not keep the JVM from ending. */
public final class DaemonThreads {
    private DaemonThreads() {}

    public static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    public static void start(String name, Runnable task) {
        of(name, task).start();
    }

    public static ThreadFactory named(String name) {
        return task -> of(name, task);
    }

    /** Waits for the end of a thread, {@code millis} at most; 0 means no limit. An interrupt ends the wait. */
    public static void join(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
