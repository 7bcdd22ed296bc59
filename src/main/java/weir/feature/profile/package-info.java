/**
 * Profiles of a variant's JVMs, from an extra trial without figures. Read {@link weir.feature.profile.TrialProfiles},
 * {@link weir.feature.profile.JvmProfiler} and {@link weir.feature.profile.ProfileSection} first. A profiler attaches
 * only to processes of this machine. Stack files are untrusted input.
 */
@NullMarked
package weir.feature.profile;

import org.jspecify.annotations.NullMarked;
