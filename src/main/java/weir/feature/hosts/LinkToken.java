package weir.feature.hosts;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;

/** The file that admits a host to one run: the key of its workers and the certificate of the run. */
public final class LinkToken {
    private static final String FIRST = "weir token 1";
    private static final String LAST = "end";
    private static final String AGAIN = "; copy the token file that the conductor wrote for this run";
    private static final int LONGEST = 64 << 10;
    private static final int LINE = 76;

    private final SSLContext context;

    private LinkToken(SSLContext context) {
        this.context = context;
    }

    public static LinkToken read(Path file) throws LinkRefused {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, "'" + file + "'");
        } catch (IOException e) {
            throw new LinkRefused("'" + file + "' cannot be read as a token file" + AGAIN, e);
        }
    }

    /** Reads a token up to its last line, and leaves the rest of the input. */
    public static LinkToken read(InputStream in, String name) throws LinkRefused {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        try {
            for (int i = 0; i < LONGEST && !lines.contains(LAST); i++) {
                int next = in.read();
                if (next < 0) {
                    break;
                }
                if (next == '\n') {
                    lines.add(line.toString().strip());
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        } catch (IOException e) {
            throw new LinkRefused(name + " cannot be read as a token file" + AGAIN, e);
        }
        int last = lines.indexOf(LAST);
        if (last < 3 || !lines.get(0).equals(FIRST)) {
            throw new LinkRefused(name + " is not a token file, which begins with '" + FIRST + "' and ends with '"
                    + LAST + "'" + AGAIN);
        }
        try {
            byte[] keys = Base64.getMimeDecoder().decode(String.join("\n", lines.subList(2, last)));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(keys), lines.get(1).toCharArray());
            return new LinkToken(RunCertificates.context(store, lines.get(1)));
        } catch (IllegalArgumentException | GeneralSecurityException | IOException e) {
            throw new LinkRefused("token file " + name + " is damaged" + AGAIN, e);
        }
    }

    /** @param keys as PKCS#12 */
    static String text(byte[] keys, String password) {
        return FIRST + "\n" + password + "\n"
                + Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(keys) + "\n" + LAST + "\n";
    }

    SSLContext context() {
        return context;
    }

    @Override
    public String toString() {
        return "token of a run";
    }
}
