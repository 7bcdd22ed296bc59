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
 * The program of a broker's JVM, which formats the disks if asked and runs the broker or ZooKeeper. Formatting in the
 * same JVM saves a JVM start, and keeps passwords off the command line.
 */
public final class BrokerMain {
    /** The first argument of a program that must end when its standard input ends. */
    public static final String WATCHING = "--watching";

    private BrokerMain() {}

    /** {@code exit-class [--watching] main-class its-properties [file of the format tool's arguments, one a line]}. */
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
        // A broker that cannot start may wait for ever in its own shutdown, so a failed broker exits at once.
        onExit(exit, code -> {
            if (code == 0) {
                System.exit(0);
            }
            Runtime.getRuntime().halt(code);
        });
        call(left.get(0), left.get(1));
    }

    // Halts without a clean shutdown, because no process needs the data without the parent.
    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; only the end of the input matters.
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

    /** The end of the format tool, as an error because the tool catches exceptions. */
    private static final class Formatted extends Error {
        private static final long serialVersionUID = 1;

        Formatted() {
            super("formatted", null, false, false);
        }
    }
}
