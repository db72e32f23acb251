/** What a campaign leaves on disk, its reading and writing, and what it says: everything that the comparison page reads. */
package org.servletbench.bench.record;
