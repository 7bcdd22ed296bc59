package weir.worker.agent;

import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import weir.host.DiskRoom;
import weir.host.Place;
import weir.host.Shield;
import weir.probe.WatchedProcess;

/** The calls of a conductor, carried out on this host. All that they have made is undone when it is closed. */
final class HostCalls implements AutoCloseable {
    private final Place here;
    private final InetSocketAddress conductor;
    private final Processes agent;
    private final Map<List<Path>, Shield> shields = new ConcurrentHashMap<>();
    private final Set<Path> folders = Collections.synchronizedSet(new LinkedHashSet<>());

    /**
     * An answer.
     *
     * @param texts in an order that each call knows
     * @param kept the limits of a shield as the kernel reads them out
     */
    record Result(List<String> texts, SortedMap<String, String> kept) {
        static Result of(String... texts) {
            return new Result(List.of(texts), Collections.emptySortedMap());
        }
    }

    /** The side of an agent that has processes. */
    interface Processes {
        /** Starts a program, and returns its number. */
        long start(HostCall.StartProgram program);

        /** Looks at a process once a second as long as at the host. */
        void watch(String source, WatchedProcess process);
    }

    HostCalls(Place here, InetSocketAddress conductor, Processes agent) {
        this.here = here;
        this.conductor = conductor;
        this.agent = agent;
    }

    Result answer(HostCall call) {
        if (call instanceof HostCall.Describe) {
            return Result.of(here.java().home().toString(), address());
        }
        if (call instanceof HostCall.FreeMemory) {
            return Result.of(Long.toString(here.resources().freeMemory()));
        }
        if (call instanceof HostCall.RoomOnDisk asked) {
            DiskRoom room = here.resources().disk(asked.data());
            return Result.of(room.folder().toString(), Long.toString(room.usable()));
        }
        if (call instanceof HostCall.Missing asked) {
            return new Result(here.resources().missing(asked.limits(), asked.data()), Collections.emptySortedMap());
        }
        if (call instanceof HostCall.FindProgram asked) {
            return Result.of(here.resources().program(asked.name()).toString());
        }
        if (call instanceof HostCall.FreePort) {
            return Result.of(Integer.toString(here.freePort()));
        }
        if (call instanceof HostCall.Watch asked) {
            agent.watch(asked.source(), asked.process());
            return Result.of();
        }
        if (call instanceof HostCall.NewFolder asked) {
            Path made = here.newFolder(asked.below(), asked.name());
            folders.add(made);
            return Result.of(made.toString());
        }
        if (call instanceof HostCall.OwnFolder asked) {
            folders.add(asked.path());
            here.own(asked.path());
            return Result.of();
        }
        if (call instanceof HostCall.MakeFolder asked) {
            here.folder(asked.path());
            return Result.of();
        }
        if (call instanceof HostCall.DeleteFolder asked) {
            here.delete(asked.path());
            folders.remove(asked.path());
            return Result.of();
        }
        if (call instanceof HostCall.WriteFile asked) {
            here.write(asked.path(), asked.content());
            return Result.of();
        }
        if (call instanceof HostCall.OpenShield asked) {
            Shield shield = here.shield(asked.name(), asked.limits(), asked.data());
            shields.put(shield.groups(), shield);
            return new Result(shield.groups().stream().map(Path::toString).toList(), shield.kept());
        }
        if (call instanceof HostCall.CloseShield asked) {
            Shield shield = shields.remove(asked.groups());
            if (shield != null) {
                shield.close();
            }
            return Result.of();
        }
        if (call instanceof HostCall.StartProgram asked) {
            return Result.of(Long.toString(agent.start(asked)));
        }
        throw new AssertionError("a call of an unknown kind: " + call);
    }

    /** The address of this machine from which the conductor is reached. */
    private String address() {
        try {
            return WorkerHosts.addressTowards(conductor);
        } catch (SocketException e) {
            throw new IllegalStateException("there is no way to the conductor: " + e.getMessage(), e);
        }
    }

    /** Once the programs have ended. */
    @Override
    public void close() {
        shields.values().forEach(Shield::close);
        shields.clear();
        List<Path> left = new ArrayList<>(folders);
        Collections.reverse(left);
        left.forEach(here::delete);
        folders.clear();
    }
}
