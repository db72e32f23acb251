/** JMeter: in campaigns, alone, on several hosts and with its GUI; its plans, its table and the reader of its log. */
package org.servletbench.bench.load.jmeter;
