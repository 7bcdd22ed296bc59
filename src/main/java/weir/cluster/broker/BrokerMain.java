package weir.cluster.broker;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Formats the disks of a broker where asked, becomes the broker, and ends with its parent.
 *
 * <p>Formatting here saves a JVM for each broker, and keeps passwords off the command line.
 */
public final class BrokerMain {
    /** The first argument of one that ends when its standard input does. */
    public static final String WATCHING = "--watching";

    private BrokerMain() {}

    /** {@code [--watching] server.properties [file with the format tool's arguments, one a line]}. */
    public static void main(String[] arguments) throws Throwable {
        List<String> left = List.of(arguments);
        if (left.get(0).equals(WATCHING)) {
            left = left.subList(1, left.size());
            Thread watch = new Thread(BrokerMain::endWithInput, "weir-parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        if (left.size() > 1) {
            int code = format(Files.readAllLines(Path.of(left.get(1))).toArray(new String[0]));
            if (code != 0) {
                Runtime.getRuntime().halt(code);
            }
        }
        call("kafka.Kafka", left.get(0));
    }

    // Halting, since a parent that is gone has nobody left to read what a clean shutdown would save.
    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes here; only the end tells something.
            }
        } catch (IOException closed) {
            System.err.println("standard input: " + closed);
        }
        Runtime.getRuntime().halt(137);
    }

    // The tool is a main that exits, so its exit is caught.
    private static int format(String[] arguments) throws Throwable {
        Class<?> exit = Class.forName("org.apache.kafka.common.utils.Exit");
        Class<?> procedure = Class.forName("org.apache.kafka.common.utils.Exit$Procedure");
        Object leave = Proxy.newProxyInstance(
                BrokerMain.class.getClassLoader(), new Class<?>[] {procedure}, (proxy, method, given) -> {
                    throw new Exited((int) given[0]);
                });
        exit.getMethod("setExitProcedure", procedure).invoke(null, leave);
        try {
            call("kafka.tools.StorageTool", arguments);
            return 0;
        } catch (Exited exited) {
            return exited.code;
        } finally {
            exit.getMethod("resetExitProcedure").invoke(null);
        }
    }

    private static void call(String main, String... arguments) throws Throwable {
        try {
            Class.forName(main).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** An error, since the tool catches exceptions. */
    private static final class Exited extends Error {
        private static final long serialVersionUID = 1;
        private final int code;

        Exited(int code) {
            super("exit " + code, null, false, false);
            this.code = code;
        }
    }
}
