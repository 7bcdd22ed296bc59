package weir.worker.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import weir.host.DiskRoom;
import weir.host.Place;
import weir.host.Shield;
import weir.host.Shields;
import weir.host.kernel.FreeMemory;
import weir.host.kernel.KernelFiles;

/** The calls of a conductor, carried out on this host. All that they have made is undone when it is closed. */
final class HostCalls implements AutoCloseable {
    private final Place here;
    private final Path home;
    private final InetSocketAddress conductor;
    private final ToLongFunction<HostCall.StartProgram> starts;
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

    /**
     * @param home below which new folders are made
     * @param starts starts a program, and tells its number
     */
    HostCalls(Place here, Path home, InetSocketAddress conductor, ToLongFunction<HostCall.StartProgram> starts) {
        this.here = here;
        this.home = home;
        this.conductor = conductor;
        this.starts = starts;
    }

    Result answer(HostCall call) {
        if (call instanceof HostCall.Describe) {
            return Result.of(here.java().home().toString(), address());
        }
        if (call instanceof HostCall.Missing asked) {
            return new Result(missing(asked), Collections.emptySortedMap());
        }
        if (call instanceof HostCall.NewFolder asked) {
            Path made = here.newFolder(asked.name());
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
            return Result.of(Long.toString(starts.applyAsLong(asked)));
        }
        throw new AssertionError("a call of an unknown kind: " + call);
    }

    private List<String> missing(HostCall.Missing asked) {
        List<String> lines = new ArrayList<>();
        try {
            Path data = DiskRoom.existing(asked.data().toString().isEmpty() ? home : asked.data());
            Shields.ofThisMachine()
                    .missing(asked.within(), data.toRealPath())
                    .forEach(line -> lines.add("cluster." + line));
            long free =
                    FreeMemory.bytes(KernelFiles.LIVE, ProcessHandle.current().pid());
            if (asked.memory() > free) {
                lines.add(String.format(
                        Locale.ROOT,
                        "its brokers have heaps of %,d MiB in all, and %,d MiB of memory are free; set cluster.heap lower, or"
                                + " name more hosts",
                        asked.memory() >> 20,
                        free >> 20));
            }
            long usable = DiskRoom.usable(data);
            if (asked.disk() > usable) {
                lines.add(String.format(
                        Locale.ROOT,
                        "a trial may write %,d MiB, and behind %s there are %,d MiB free beside a reserve of 5 %%; lower the"
                                + " rate, the length or the sizes, or set cluster.data to a larger disk",
                        asked.disk() >> 20,
                        data,
                        Math.max(0, usable) >> 20));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("looking at this machine: " + e.getMessage(), e);
        }
        return lines;
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
