package weir;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * The logging library, started before the first test: while one thread starts it, others get loggers that log nothing yet and are
 * of another class.
 */
public final class LoggingBeforeTests implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
