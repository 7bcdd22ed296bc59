/**
 * The check of a place to measure on, this machine or Kubernetes, and of what killed runs have left there. Read
 * {@link weir.cli.doctor.DoctorCommand} first.
 */
@NullMarked
package weir.cli.doctor;

import org.jspecify.annotations.NullMarked;
