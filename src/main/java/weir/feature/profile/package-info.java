/**
 * Profiles of the JVMs of a variant, in a trial of their own. Read {@link weir.feature.profile.TrialProfiles}, {@link
 * weir.feature.profile.JvmProfiler} and {@link weir.feature.profile.ProfileSection} first. A profiler attaches to processes
 * of this machine alone, and only in trials from which no figure is taken. Stacks are kept collapsed, as other tools read
 * them too, and are read again as files that any program may have written.
 */
@NullMarked
package weir.feature.profile;

import org.jspecify.annotations.NullMarked;
