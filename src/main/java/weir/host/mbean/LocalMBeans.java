package weir.host.mbean;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import java.util.stream.Stream;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * A connection to the MBeans of a JVM on this machine: a broker, a null target or a worker. This class contains the
 * client and the server. The JDK's own agent would listen on all interfaces. This server listens on loopback and
 * requires a secret from a temporary file that only the JVM's user can read.
 */
public final class LocalMBeans implements AutoCloseable {
    private static final String VALUES = "values of many";
    private static final String FOLDER = "-Djava.io.tmpdir=";
    private static final int SECRET_BYTES = 24;
    private static final int SECRET_LIMIT_MS = 5_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private LocalMBeans(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    public static void serve() throws IOException {
        ServerSocket door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        String secret = Base64.getEncoder().encodeToString(random);
        Path file = file(
                Path.of(System.getProperty("java.io.tmpdir")),
                ProcessHandle.current().pid());
        // A move is atomic, so that no reader sees a partial file.
        Path whole = Files.createTempFile(file.resolveSibling(""), "mbeans", ".new");
        Files.writeString(whole, door.getLocalPort() + " " + secret);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        start(() -> accept(door, secret));
    }

    private static Path file(Path folder, long pid) {
        return folder.resolve("mbeans-" + pid);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "weir-mbeans");
        thread.setDaemon(true);
        thread.start();
    }

    private static void accept(ServerSocket door, String secret) {
        try {
            while (true) {
                Socket socket = door.accept();
                start(() -> answer(socket, secret));
            }
        } catch (IOException e) {
            System.err.println("the MBeans of this JVM can no longer be read: " + e);
        }
    }

    private static void answer(Socket socket, String secret) {
        try (LocalMBeans client = new LocalMBeans(socket)) {
            socket.setSoTimeout(SECRET_LIMIT_MS);
            byte[] given = client.in.readNBytes(secret.length());
            if (!MessageDigest.isEqual(given, secret.getBytes(StandardCharsets.US_ASCII))) {
                return;
            }
            socket.setSoTimeout(0);
            while (true) {
                Object[] call = (Object[]) client.read();
                client.write(reply((String) call[0], (Class<?>[]) call[1], (Object[]) call[2]));
            }
        } catch (IOException gone) {
            // The client has closed the connection after its last reply.
            return;
        }
    }

    /**
     * The values of many MBeans, in the order of {@code beans}; empty for an MBean that no longer exists. Skips values
     * of classes that the other JVM may lack.
     */
    public static AttributeList[] values(MBeanServer server, ObjectName[] beans, String[][] attributes) {
        AttributeList[] values = new AttributeList[beans.length];
        for (int i = 0; i < beans.length; i++) {
            try {
                values[i] = server.getAttributes(beans[i], attributes[i]);
                values[i]
                        .asList()
                        .removeIf(attribute -> attribute.getValue() != null
                                && attribute.getValue().getClass().getClassLoader() != null);
            } catch (JMException gone) {
                values[i] = new AttributeList();
            }
        }
        return values;
    }

    /** The values of MBeans of the other JVM, in one round trip. */
    public AttributeList[] values(ObjectName[] beans, String[][] attributes) throws IOException {
        Object reply = exchange(new Object[] {VALUES, new Class<?>[0], new Object[] {beans, attributes}});
        if (reply instanceof Throwable failure) {
            throw new IOException("asking for the values of MBeans", failure);
        }
        return (AttributeList[]) ((Object[]) reply)[0];
    }

    private static byte[] reply(String method, Class<?>[] types, Object[] arguments) throws IOException {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            Object result = method.equals(VALUES)
                    ? values(server, (ObjectName[]) arguments[0], (String[][]) arguments[1])
                    : MBeanServerConnection.class.getMethod(method, types).invoke(server, arguments);
            return bytes(new Object[] {result});
        } catch (InvocationTargetException e) {
            return bytes(Objects.requireNonNull(e.getCause()));
        } catch (ReflectiveOperationException | IOException e) {
            return bytes(new IOException(method + " has no answer that can be sent: " + e));
        }
    }

    public static LocalMBeans of(long pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        // The last occurrence wins, as for the JVM.
        String folder = Stream.of(Files.readString(process.resolve("cmdline")).split("\0", -1))
                .filter(argument -> argument.startsWith(FOLDER))
                .reduce((before, last) -> last)
                .orElseThrow(() -> new IOException("process " + pid + " is not a JVM that serves its MBeans"))
                .substring(FOLDER.length());
        Path file = file(process.resolve("cwd").resolve(folder), pid);
        if (!Files.getOwner(file).equals(Files.getOwner(process))) {
            throw new IOException(file + " belongs to another user than process " + pid);
        }
        String[] words = Files.readString(file).split(" ", 2);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0]));
        try {
            LocalMBeans served = new LocalMBeans(socket);
            served.out.writeBytes(words[1]);
            return served;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public MBeanServerConnection connection() {
        return (MBeanServerConnection) Proxy.newProxyInstance(
                LocalMBeans.class.getClassLoader(),
                new Class<?>[] {MBeanServerConnection.class},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? method.invoke(this, arguments)
                        : ask(new Object[] {method.getName(), method.getParameterTypes(), arguments}));
    }

    private synchronized Object exchange(Object[] call) throws IOException {
        write(bytes(call));
        return read();
    }

    private Object ask(Object[] call) throws Throwable {
        Object reply = exchange(call);
        if (reply instanceof Throwable failure) {
            throw failure;
        }
        return ((Object[]) reply)[0];
    }

    private static byte[] bytes(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private void write(byte[] message) throws IOException {
        out.writeInt(message.length);
        out.write(message);
        out.flush();
    }

    private Object read() throws IOException {
        byte[] message = in.readNBytes(in.readInt());
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(message))) {
            return objects.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException("an MBean returned a value of a class that Weir does not have", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The other end has closed first.
            return;
        }
    }
}
