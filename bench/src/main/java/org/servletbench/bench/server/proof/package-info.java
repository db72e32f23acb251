/** What a running server proves to be: identity, connector, limits and answers. */
package org.servletbench.bench.server.proof;
