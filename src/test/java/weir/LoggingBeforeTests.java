package weir;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/**
 * The start of the logging library before the first test. While one thread starts the library, other threads get
 * loggers of another class that log nothing.
 */
public final class LoggingBeforeTests implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
