package weir.worker;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import weir.host.mbean.LocalMBeans;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.worker.link.Lease;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.QueuedLink;
import weir.worker.link.SyncedClock;

/** The program of a worker, which executes commands from standard input and ends with that input. */
public final class WorkerMain {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final long SECOND = 1_000_000_000L;
    private static final int FAILED = 4;

    private WorkerMain() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Link link = new QueuedLink(
                new FileInputStream(FileDescriptor.in),
                out,
                out,
                QueuedLink.ROOM,
                LinkFrame.LONGEST,
                WorkerMain::linkBroken);
        // Standard output is the link, so no other code may write to it.
        RedactedOutput log = new RedactedOutput(new FileOutputStream(FileDescriptor.err));
        System.setErr(log.printing());
        System.setOut(System.err);
        LocalMBeans.serve();
        ExecutorService commands = Executors.newSingleThreadExecutor(task -> new Thread(task, "weir-commands"));
        AssignmentRunner runner = new AssignmentRunner(link, log, new SyncedClock(MachineClock.STEADY));
        Lease lease = new Lease(MachineClock.STEADY, LEASE);
        boolean leased = false;
        try {
            while (true) {
                LinkFrame frame = link.receive();
                lease.renew();
                // An agent sends the time each second during its connection to the conductor; a local worker gets none.
                if (frame.kind() == LinkFrame.Kind.CLOCK && !leased) {
                    leased = true;
                    watch(lease);
                }
                if (!runner.handle(frame)) {
                    commands.execute(() -> runner.carryOut(frame));
                }
            }
        } catch (EOFException over) {
            // The conductor has finished or is gone, so this process ends at once.
            Runtime.getRuntime().halt(0);
        }
    }

    private static void watch(Lease lease) {
        DaemonThreads.start("weir-lease", () -> {
            while (lease.tick()) {
                LockSupport.parkNanos(SECOND);
            }
            fail("the worker process of this host was silent for " + LEASE.toSeconds() + " s");
        });
    }

    private static void linkBroken(IOException why) {
        if (why instanceof QueuedLink.Full) {
            fail("this worker cannot report its measurements: " + why.getMessage());
        }
        // The conductor is gone.
        Runtime.getRuntime().halt(0);
    }

    private static void fail(String why) {
        System.err.println(why);
        Runtime.getRuntime().halt(FAILED);
    }
}
