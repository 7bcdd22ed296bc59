/**
 * The load of a running cluster as an experiment file: {@code weir shape}. Read {@code ShapeCommand} first. The package
 * only reads, joins no group, and keeps no key, value or header of a record.
 */
@NullMarked
package weir.feature.shape;

import org.jspecify.annotations.NullMarked;
