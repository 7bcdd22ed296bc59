/**
 * Profiles of JVMs, by async-profiler or else by the JVM's own recorder. Read {@code JvmProfiler} first.
 * It attaches to processes of this machine alone, and takes from each as much as a profiler costs: only in trials from which
 * no figure is taken.
 */
@NullMarked
package weir.probe.profile;

import org.jspecify.annotations.NullMarked;
