/**
 * Values with a schema: random data, serialized as an application does it with a schema registry. Read
 * {@code SchemaValues} first. The package sends and reads no records.
 */
@NullMarked
package weir.feature.schema;

import org.jspecify.annotations.NullMarked;
