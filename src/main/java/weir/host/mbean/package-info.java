/**
 * The MBeans of Weir's own JVMs, which each serves on loopback. Read {@link weir.host.mbean.LocalMBeans}.
 * It is packed into the jar of a broker's main, so it uses the JDK alone.
 */
@NullMarked
package weir.host.mbean;

import org.jspecify.annotations.NullMarked;
