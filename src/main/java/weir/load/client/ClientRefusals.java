package weir.load.client;

import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import weir.load.engine.LoadRefused;

/** The exceptions of Kafka that a user can fix: wrong properties, missing rights, limits of the brokers. */
public final class ClientRefusals {
    private ClientRefusals() {}

    /** Returns the refusal that caused a failure; empty for any other failure. */
    public static Optional<LoadRefused> of(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof LoadRefused refused) {
                return Optional.of(refused);
            }
            if (each instanceof FencedInstanceIdException) {
                return Optional.of(LoadRefused.fenced(
                        "another member took the group.instance.id (" + each.getMessage() + "); this run does not use"
                                + " this id again",
                        each));
            }
            if (refuses(each)) {
                return Optional.of(unfit(each));
            }
        }
        return Optional.empty();
    }

    public static LoadRefused unfit(Throwable why) {
        return LoadRefused.unfit(
                why instanceof AuthorizationException
                        ? "the cluster refuses: " + text(why).replaceFirst("\\.$", "")
                                + ". docs/reference/rights.md lists the rights that each command needs"
                        : text(why),
                why);
    }

    static boolean refuses(Throwable why) {
        return why instanceof AuthorizationException
                || why instanceof AuthenticationException
                || why instanceof ConfigException
                || why instanceof InvalidTxnTimeoutException
                || (why instanceof KafkaException
                        && String.valueOf(why.getMessage()).matches("Failed to (construct|create new) [Kk]afka.*"));
    }

    /** Returns the message of a failure and those of its causes that add something. */
    public static String text(Throwable why) {
        StringBuilder text = new StringBuilder(String.valueOf(why.getMessage() == null ? why : why.getMessage()));
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString();
    }
}
