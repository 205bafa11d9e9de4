/**
 * HTTP/1.1 over connections that the caller owns: it decides when one is opened and knows which one has carried a reply, nothing is sent twice, and
 * a reply has one deadline as a whole. Begin at {@link HttpConnection}.
 */
@NullMarked
package dev.election.http;

import org.jspecify.annotations.NullMarked;
