package weir.wire;

import java.io.IOException;

/** The refusal of a broker: a wrong password, an untrusted certificate, or no common version. */
public final class BrokerRefusal extends IOException {
    private static final long serialVersionUID = 1;

    BrokerRefusal(String message) {
        super(message);
    }

    public BrokerRefusal(String message, Throwable cause) {
        super(message, cause);
    }
}
