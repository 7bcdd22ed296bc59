package weir.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import weir.plan.property.ResolvedSecrets;

/** A stream of lines, such as a client's log, without secrets. Safe for many threads. */
final class RedactedOutput extends OutputStream {
    private final OutputStream out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private ResolvedSecrets secrets = ResolvedSecrets.NONE;

    RedactedOutput(OutputStream out) {
        this.out = out;
    }

    synchronized void hide(ResolvedSecrets more) {
        secrets = secrets.plus(more);
    }

    synchronized String shown(String text) {
        return secrets.text(text);
    }

    synchronized ResolvedSecrets secrets() {
        return secrets;
    }

    PrintStream printing() {
        return new PrintStream(this, true, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void write(int b) throws IOException {
        line.write(b);
        if (b == '\n') {
            writeLine();
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
        for (int i = from; i < from + length; i++) {
            write(bytes[i]);
        }
    }

    private void writeLine() throws IOException {
        byte[] shown = shown(line.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        line.reset();
        out.write(shown);
        out.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        writeLine();
        out.close();
    }
}
