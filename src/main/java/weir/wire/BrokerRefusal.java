package weir.wire;

import java.io.IOException;

/** The exception for a fault that no retry can fix, such as a wrong password or an untrusted certificate. */
public final class BrokerRefusal extends IOException {
    private static final long serialVersionUID = 1;

    BrokerRefusal(String message) {
        super(message);
    }

    public BrokerRefusal(String message, Throwable cause) {
        super(message, cause);
    }
}
