package weir.feature.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weir.host.Children;
import weir.host.Command;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.host.LocalChild;
import weir.host.LocalHost;
import weir.host.ProcessAction;

/** A parent that starts running and paused children and a command with a child, prints their ids, and waits. */
final class Doomed {
    private Doomed() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Journal journal = Journal.open(folder.resolve("state"));
        Children children = Children.open(journal);
        journal.folder(folder.resolve("data"));
        journal.resource(topic("weir-a"));
        journal.resource(topic("weir-b"));
        journal.resourceGone(topic("weir-a"));
        Path log = folder.resolve("child.log");
        LocalChild running =
                children.start(new Command("running", List.of("sleep", "600"), log, Command.Output.LOGGED));
        List<String> telling = List.of("/bin/sh", "-c", "echo up; exec sleep 600");
        LocalChild paused = children.start(new Command("paused", telling, log, Command.Output.READ));
        // A child that is paused before it runs is not yet tied to its parent.
        if (paused.output().read() < 0) {
            throw new IllegalStateException("the child to pause ended: " + paused.lastLines(5));
        }
        paused.signal(ProcessAction.PAUSE);
        LocalChild outliving = Children.outliving(journal)
                .start(new Command("outliving", List.of("sleep", "600"), log, Command.Output.LOGGED));
        List<String> parent = List.of("sh", "-c", "sleep 600 & echo $$ $! > grandchild; mv grandchild told; wait");
        CommandFeature.RunningCommand unused =
                CommandFeature.RunningCommand.start(new LocalHost(children), "command", parent, folder, "", log);
        Path told = folder.resolve("told");
        while (!Files.exists(told)) {
            Thread.sleep(2);
        }
        System.out.println(running.id().pid() + " " + paused.id().pid() + " "
                + Files.readString(told).strip() + " " + outliving.id().pid());
        Thread.sleep(600_000);
    }

    static Leftovers.Resource topic(String name) {
        return new Leftovers.Resource(ResourceType.TOPIC, "elsewhere:9092", name);
    }
}
