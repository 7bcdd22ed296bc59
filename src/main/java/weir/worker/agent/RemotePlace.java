package weir.worker.agent;

import java.nio.file.Path;
import java.util.List;
import weir.host.Child;
import weir.host.Command;
import weir.host.DiskRoom;
import weir.host.JavaRuntime;
import weir.host.MachineResources;
import weir.host.Place;
import weir.host.Shield;
import weir.plan.Limits;
import weir.worker.agent.HostCall.Op;

/** Another machine, reached through its agent; everything made there is gone when the agent ends. */
public final class RemotePlace implements Place, MachineResources {
    private final RemoteHost machine;
    private final HostCall.Described described;

    RemotePlace(RemoteHost machine) {
        this.machine = machine;
        this.described = machine.ask(HostCall.Described.class, Op.DESCRIBE);
    }

    /** The IP address of the host on the side of the conductor. */
    public String address() {
        return described.address();
    }

    @Override
    public String host() {
        return machine.name();
    }

    @Override
    public JavaRuntime java() {
        return new JavaRuntime(described.java());
    }

    @Override
    public MachineResources resources() {
        return this;
    }

    @Override
    public int processors() {
        return machine.hello().processors();
    }

    @Override
    public long freeMemory() {
        return machine.ask(Long.class, Op.FREE_MEMORY);
    }

    @Override
    public DiskRoom disk(Path data) {
        return machine.ask(DiskRoom.class, Op.ROOM_ON_DISK, data);
    }

    @Override
    public List<String> missing(Limits limits, Path data) {
        return List.of(machine.ask(String[].class, Op.MISSING, machine.limits(limits), data));
    }

    @Override
    public Path program(String name) {
        return machine.ask(Path.class, Op.FIND_PROGRAM, name);
    }

    @Override
    public Path newFolder(String name) {
        return newFolder(Path.of(""), name);
    }

    @Override
    public Path newFolder(Path below, String name) {
        return machine.ask(Path.class, Op.NEW_FOLDER, below, name);
    }

    @Override
    public int freePort() {
        return machine.ask(Integer.class, Op.FREE_PORT);
    }

    @Override
    public void own(Path folder) {
        machine.ask(String.class, Op.OWN_FOLDER, folder);
    }

    @Override
    public void folder(Path folder) {
        machine.ask(String.class, Op.MAKE_FOLDER, folder);
    }

    /** Leaves the deletion to the agent if the host is lost. */
    @Override
    public void delete(Path folder) {
        if (!machine.isLost()) {
            machine.ask(Boolean.class, Op.DELETE_FOLDER, folder);
        }
    }

    @Override
    public void write(Path file, byte[] content) {
        machine.ask(String.class, Op.WRITE_FILE, file, content);
    }

    @Override
    public List<Path> jars(List<Path> jars) {
        return machine.jars(jars.stream().map(Path::toString).toList()).stream()
                .map(Path::of)
                .toList();
    }

    @Override
    public Shield shield(String name, Limits limits, Path data) {
        Limits own = machine.limits(limits);
        if (own.equals(Limits.NONE)) {
            return Shield.NONE;
        }
        HostCall.Shielded opened = machine.ask(HostCall.Shielded.class, Op.OPEN_SHIELD, name, own, data);
        return new Shield(opened.groups(), opened.kept(), () -> {
            if (!machine.isLost()) {
                machine.ask(String.class, Op.CLOSE_SHIELD, opened.groups());
            }
        });
    }

    @Override
    public Child start(Command command) {
        return machine.start(command);
    }

    @Override
    public boolean tied() {
        return true;
    }
}
