package weir.run.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import weir.host.HomeFolders;
import weir.plan.ProfileSpec;
import weir.probe.profile.JvmProfiler;
import weir.probe.profile.Profile;
import weir.probe.profile.ProfilerLibrary;
import weir.results.profile.ProfileResult;
import weir.results.profile.ProfiledTrial;

/** Profilers in JVMs of this machine. */
final class JvmProfilers implements Lab.Profiling {
    private final SortedMap<String, JvmProfiler> profilers = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Path folder;
    private final Supplier<Instant> wall;

    private interface Act {
        void on(String name, JvmProfiler profiler) throws IOException;
    }

    private JvmProfilers(Path folder, Supplier<Instant> wall) {
        this.folder = folder;
        this.wall = wall;
    }

    static JvmProfilers attach(
            SortedMap<String, Long> jvms, List<ProfileSpec.Event> events, Path folder, Supplier<Instant> wall) {
        JvmProfilers all = new JvmProfilers(folder, wall);
        Path library = all.library();
        jvms.forEach((name, pid) -> {
            try {
                all.profilers.put(name, JvmProfiler.attach(pid, events, folder, library));
            } catch (IOException e) {
                all.failed(name, e);
            }
        });
        return all;
    }

    private Path library() {
        try {
            return ProfilerLibrary.in(HomeFolders.ours().cache());
        } catch (IOException | HomeFolders.Homeless e) {
            notes.add(String.valueOf(e.getMessage()));
            return Path.of("");
        }
    }

    private void failed(String name, IOException e) {
        notes.add("no profile of " + name + ": " + e.getMessage());
    }

    @Override
    public synchronized void begin() {
        each((name, profiler) -> profiler.start(wall.get()));
    }

    @Override
    public synchronized void end() {
        each((name, profiler) -> profiler.stop(wall.get()));
    }

    /** One that fails is left out from then on. */
    private void each(Act act) {
        List<String> failed = new ArrayList<>();
        profilers.forEach((name, profiler) -> {
            try {
                act.on(name, profiler);
            } catch (IOException e) {
                failed(name, e);
                failed.add(name);
            }
        });
        failed.forEach(name -> {
            JvmProfiler profiler = profilers.remove(name);
            if (profiler != null) {
                profiler.close();
            }
        });
    }

    @Override
    public synchronized List<ProfileResult> profiles() {
        List<ProfileResult> results = new ArrayList<>();
        each((name, profiler) -> {
            for (Profile profile : profiler.profiles()) {
                ProfileResult result = new ProfileResult(
                        name,
                        profile.event(),
                        profile.tool(),
                        profile.engine(),
                        profile.kernel(),
                        profile.biased(),
                        profile.stacks().samples(),
                        profile.stacks().total(),
                        profile.perUnit());
                ProfiledTrial.write(folder, result, profile.stacks().counts());
                results.add(result);
            }
        });
        return results;
    }

    @Override
    public synchronized List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        profilers.forEach((name, profiler) -> profiler.notes().forEach(note -> all.add(name + ": " + note)));
        return all;
    }

    @Override
    public synchronized void close() {
        profilers.values().forEach(JvmProfiler::close);
        profilers.clear();
    }
}
