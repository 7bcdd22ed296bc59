package weir.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weir.io.Io;
import weir.plan.Limits;

/** The host that is this machine. */
public record LocalHost(Children children, String address, Ports ports) implements Host {
    private static final String LOOPBACK = "127.0.0.1";

    public LocalHost(Children children) {
        this(children, LOOPBACK, new Ports());
    }

    /** This machine with another address for clients, or with loopback if {@code other} is empty. */
    public LocalHost at(String other) {
        return new LocalHost(children, other.isEmpty() ? LOOPBACK : other, ports);
    }

    @Override
    public String name() {
        return "";
    }

    @Override
    public MachineResources resources() {
        return MachineResources.here(children.journal().home());
    }

    @Override
    public JavaRuntime java() {
        return JavaRuntime.own();
    }

    @Override
    public Path newFolder(Path below, String name) {
        return below.toString().isEmpty()
                ? children.journal().newFolder(name)
                : children.journal().newFolder(below, name);
    }

    @Override
    public int freePort() {
        return ports.getAsInt();
    }

    @Override
    public void own(Path folder) {
        children.journal().folder(folder);
        OwnedFolders.make(folder);
    }

    @Override
    public void folder(Path folder) {
        Io.attempt("making " + folder, () -> Files.createDirectories(folder));
    }

    @Override
    public void delete(Path folder) {
        children.journal().delete(folder);
    }

    @Override
    public void write(Path file, byte[] content) {
        Io.attempt("writing " + file, () -> Files.write(file, content));
    }

    @Override
    public List<Path> jars(List<Path> jars) {
        return jars;
    }

    @Override
    public Shield shield(String name, Limits limits, Path data) {
        return children.shield(name, limits, Shields.CpuShare.EQUAL, data);
    }

    @Override
    public Child start(Command command) {
        return children.start(command);
    }

    @Override
    public boolean tied() {
        return children.tied();
    }
}
