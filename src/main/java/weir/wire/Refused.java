package weir.wire;

import java.io.IOException;

/** Somebody answered and will not have us: a wrong password, a certificate not trusted, no common version. */
public final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message);
    }

    Refused(String message, Throwable cause) {
        super(message, cause);
    }
}
