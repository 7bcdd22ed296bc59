/**
 * The cost of hot paths per message, in nanoseconds and bytes. Not shipped.
 * Compiled and run by {@code make microbench}.
 */
package weir.microbench;
