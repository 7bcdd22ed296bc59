/**
 * The MBeans of the JVMs that Weir starts; each JVM serves them on loopback. Read {@link weir.host.mbean.LocalMBeans}.
 * This package is part of the jar on a broker's class path, so it uses only the JDK.
 */
@NullMarked
package weir.host.mbean;

import org.jspecify.annotations.NullMarked;
