/**
 * The rules of our HTTP servers, whatever each is there for: who may ask, and which requests are understood. Read {@code
 * Access} first. It listens nowhere and answers nothing itself.
 */
@NullMarked
package weir.http;

import org.jspecify.annotations.NullMarked;
