package weir.run;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import weir.plan.property.ResolvedSecrets;

/**
 * The log of Kafka's clients in this process while a run is under way: whole in a file of the run, which is there once
 * something is logged, and one line for the user that names it. It takes the place of what logged to the terminal.
 */
final class ConductorLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger kafka = (Logger) LoggerFactory.getLogger("org.apache.kafka");
    private final @Nullable Level level = kafka.getLevel();
    private final Path file;
    private final ResolvedSecrets secrets;
    private final Consumer<String> note;
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final List<Appender<ILoggingEvent>> replaced = new ArrayList<>();
    private boolean told;

    private ConductorLog(Path file, ResolvedSecrets secrets, Consumer<String> note) {
        this.file = file;
        this.secrets = secrets;
        this.note = note;
    }

    static ConductorLog open(Path file, ResolvedSecrets secrets, Consumer<String> note) {
        ConductorLog log = new ConductorLog(file, secrets, note);
        log.setContext(log.root.getLoggerContext());
        log.root.iteratorForAppenders().forEachRemaining(log.replaced::add);
        log.replaced.forEach(log.root::detachAppender);
        log.kafka.setLevel(null);
        log.start();
        log.root.addAppender(log);
        return log;
    }

    // AppenderBase calls this for one event at a time.
    @Override
    protected void append(ILoggingEvent event) {
        String logger = event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
        String message = secrets.text(event.getFormattedMessage());
        String trace = event.getThrowableProxy() == null
                ? ""
                : secrets.text(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        String kept = event.getInstant() + " " + event.getLevel() + " " + logger + ": " + message + "\n" + trace;
        String where = file.toString();
        try {
            Files.writeString(file, kept, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            where = "which cannot be written: " + e.getMessage();
        }
        if (!told) {
            told = true;
            note.accept("Kafka clients of the conductor logged errors (log: " + where + ")");
        }
    }

    @Override
    public void close() {
        root.detachAppender(this);
        kafka.setLevel(level);
        stop();
        replaced.forEach(root::addAppender);
        replaced.clear();
    }
}
