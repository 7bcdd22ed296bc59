package weir.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import weir.measure.Snapshot;

/** The windows of a trial, kept small: as bytes, since histograms of an hour would fill the memory. */
public final class WindowStore {
    private final List<byte[]> windows = new ArrayList<>();

    synchronized void add(Snapshot window) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            window.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        windows.add(bytes.toByteArray());
    }

    public synchronized void forEach(Consumer<Snapshot> each) {
        for (byte[] bytes : windows) {
            try {
                each.accept(Snapshot.read(new DataInputStream(new ByteArrayInputStream(bytes))));
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory", e);
            }
        }
    }
}
