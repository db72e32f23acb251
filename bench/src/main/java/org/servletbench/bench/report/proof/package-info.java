/** The page of {@code prove}. */
package org.servletbench.bench.report.proof;
