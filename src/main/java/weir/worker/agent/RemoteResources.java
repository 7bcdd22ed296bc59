package weir.worker.agent;

import java.nio.file.Path;
import java.util.List;
import weir.host.DiskRoom;
import weir.host.MachineResources;
import weir.plan.Limits;

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
        return machine.call(new HostCall.Missing(machine.limits(limits), data)).texts();
    }

    @Override
    public Path program(String name) {
        return Path.of(asked(new HostCall.FindProgram(name)));
    }

    private String asked(HostCall call) {
        return machine.call(call).texts().get(0);
    }
}
