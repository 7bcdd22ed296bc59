package weir.worker;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.Pipes;
import weir.worker.link.SyncedClock;

/** The program of a worker: it does what comes in through standard input, and ends when that ends. */
public final class WorkerMain {
    private WorkerMain() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        Link link = new Pipes(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        // Standard output is the link; nobody else may write there.
        RedactedOutput log = new RedactedOutput(new FileOutputStream(FileDescriptor.err));
        System.setErr(log.printing());
        System.setOut(System.err);
        ExecutorService commands = Executors.newSingleThreadExecutor(task -> new Thread(task, "weir-commands"));
        AssignmentRunner runner = new AssignmentRunner(link, log, new SyncedClock(System::nanoTime));
        try {
            while (true) {
                LinkFrame frame = link.receive();
                if (!runner.heard(frame)) {
                    commands.execute(() -> runner.carryOut(frame));
                }
            }
        } catch (EOFException over) {
            // The conductor is done with us, or gone: nothing here is worth a moment more.
            Runtime.getRuntime().halt(0);
        }
    }
}
