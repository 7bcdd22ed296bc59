/**
 * Profiles of the JVMs of a variant, in an extra trial. Read {@link weir.feature.profile.TrialProfiles}, {@link
 * weir.feature.profile.JvmProfiler} and {@link weir.feature.profile.ProfileSection} first. A profiler attaches only to
 * processes of this machine, and only in trials without figures. Stack files are untrusted input.
 */
@NullMarked
package weir.feature.profile;

import org.jspecify.annotations.NullMarked;
