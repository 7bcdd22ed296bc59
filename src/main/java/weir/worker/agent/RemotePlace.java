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

/** Another machine, by its agent. When that ends, all that was made there is gone. */
public final class RemotePlace implements Place {
    private final RemoteHost machine;
    private final JavaRuntime java;
    private final String address;

    /** Asks the host who it is. */
    RemotePlace(RemoteHost machine) {
        this.machine = machine;
        List<String> described = machine.call(new HostCall.Describe()).texts();
        this.java = new JavaRuntime(Path.of(described.get(0)));
        this.address = described.get(1);
    }

    /** Its IP address towards the machine that conducts. */
    public String address() {
        return address;
    }

    @Override
    public MachineResources resources() {
        return new RemoteResources(machine);
    }

    @Override
    public String host() {
        return machine.name();
    }

    @Override
    public JavaRuntime java() {
        return java;
    }

    @Override
    public Path newFolder(String name) {
        return newFolder(Path.of(""), name);
    }

    @Override
    public Path newFolder(Path below, String name) {
        return Path.of(machine.call(new HostCall.NewFolder(below, name)).texts().get(0));
    }

    @Override
    public int freePort() {
        return Integer.parseInt(machine.call(new HostCall.FreePort()).texts().get(0));
    }

    @Override
    public void own(Path folder) {
        machine.call(new HostCall.OwnFolder(folder));
    }

    @Override
    public void folder(Path folder) {
        machine.call(new HostCall.MakeFolder(folder));
    }

    /** Leaves it to the agent on a host that is lost. */
    @Override
    public void delete(Path folder) {
        if (!machine.isLost()) {
            machine.call(new HostCall.DeleteFolder(folder));
        }
    }

    @Override
    public void write(Path file, byte[] content) {
        machine.call(new HostCall.WriteFile(file, content));
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
        HostCalls.Result opened = machine.call(new HostCall.OpenShield(name, own, data));
        List<Path> groups = opened.texts().stream().map(Path::of).toList();
        return new Shield(groups, opened.kept(), () -> {
            if (!machine.isLost()) {
                machine.call(new HostCall.CloseShield(groups));
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

    /** Another machine, as its agent finds it. */
    record RemoteResources(RemoteHost machine) implements MachineResources {
        @Override
        public int processors() {
            return machine.hello().processors();
        }

        @Override
        public long freeMemory() {
            return Long.parseLong(asked(new HostCall.FreeMemory()));
        }

        @Override
        public DiskRoom disk(Path data) {
            List<String> room = machine.call(new HostCall.RoomOnDisk(data)).texts();
            return new DiskRoom(Path.of(room.get(0)), Long.parseLong(room.get(1)));
        }

        @Override
        public List<String> missing(Limits limits, Path data) {
            return machine.call(new HostCall.Missing(machine.limits(limits), data))
                    .texts();
        }

        @Override
        public Path program(String name) {
            return Path.of(asked(new HostCall.FindProgram(name)));
        }

        private String asked(HostCall call) {
            return machine.call(call).texts().get(0);
        }
    }
}
