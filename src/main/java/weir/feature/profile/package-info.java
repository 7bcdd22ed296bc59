/** Profiles of the JVMs of a variant, in a trial of their own. */
@NullMarked
package weir.feature.profile;

import org.jspecify.annotations.NullMarked;
