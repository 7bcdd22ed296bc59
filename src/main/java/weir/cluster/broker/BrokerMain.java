package weir.cluster.broker;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import weir.host.mbean.LocalMBeans;

/**
 * Formats the disks of a broker where asked, becomes the broker or its ZooKeeper, and ends with its parent.
 *
 * <p>Formatting here saves a JVM for each broker, and keeps passwords off the command line.
 */
public final class BrokerMain {
    /** The first argument of one that ends when its standard input does. */
    public static final String WATCHING = "--watching";

    private BrokerMain() {}

    /** {@code exit-class [--watching] main-class its-properties [file with the format tool's arguments, one a line]}. */
    public static void main(String[] arguments) throws Throwable {
        Class<?> exit = Class.forName(arguments[0]);
        List<String> left = List.of(arguments).subList(1, arguments.length);
        if (left.get(0).equals(WATCHING)) {
            left = left.subList(1, left.size());
            Thread watch = new Thread(BrokerMain::endWithInput, "weir-parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        LocalMBeans.serve();
        if (left.size() > 2) {
            format(exit, Files.readAllLines(Path.of(left.get(2))).toArray(new String[0]));
        }
        // A broker that cannot start may wait for ever in its own shutdown, so a failed one ends at once.
        onExit(exit, code -> {
            if (code == 0) {
                System.exit(0);
            }
            Runtime.getRuntime().halt(code);
        });
        call(left.get(0), left.get(1));
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

    private static void format(Class<?> exit, String[] arguments) throws Throwable {
        onExit(exit, code -> {
            if (code != 0) {
                Runtime.getRuntime().halt(code);
            }
            throw new Formatted();
        });
        try {
            call("kafka.tools.StorageTool", arguments);
        } catch (Formatted done) {
            // The tool is a main that exits when it is done.
        }
    }

    private static void onExit(Class<?> exit, IntConsumer end) throws ReflectiveOperationException {
        Class<?> procedure = Class.forName(exit.getName() + "$Procedure");
        Object instead = Proxy.newProxyInstance(
                BrokerMain.class.getClassLoader(), new Class<?>[] {procedure}, (proxy, method, given) -> {
                    end.accept((int) given[0]);
                    throw new AssertionError("still here after " + method);
                });
        exit.getMethod("setExitProcedure", procedure).invoke(null, instead);
    }

    private static void call(String main, String... arguments) throws Throwable {
        try {
            Class.forName(main).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** An error, since the tool catches exceptions. */
    private static final class Formatted extends Error {
        private static final long serialVersionUID = 1;

        Formatted() {
            super("formatted", null, false, false);
        }
    }
}
