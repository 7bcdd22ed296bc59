/**
 * The check of a place to measure on, this machine or Kubernetes, and the cleanup of killed runs there. Read
 * {@link weir.cli.doctor.DoctorCommand} first.
 */
@NullMarked
package weir.cli.doctor;

import org.jspecify.annotations.NullMarked;
