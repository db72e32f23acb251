package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.util.List;
import org.servletbench.bench.article.RatioBound;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;

/** A small plot of ratios on a logarithmic axis that all parts of a claim share. */
record RatioTrack(double from, double to) {
    private static final double WIDTH = 160;
    private static final double HEIGHT = 20;

    static RatioTrack of(List<Part> parts) {
        double from = Math.log(0.7);
        double to = Math.log(1.4);
        for (Part part : parts) {
            for (double value : new double[] {part.value(), part.low(), part.high()}) {
                if (value > 0.2 && value < 20) {
                    from = Math.min(from, Math.log(value) - 0.05);
                    to = Math.max(to, Math.log(value) + 0.05);
                }
            }
        }
        return new RatioTrack(from, to);
    }

    private double x(double ratio) {
        double at = ratio <= 0 ? from : Math.log(ratio);
        return WIDTH * (Math.min(to, Math.max(from, at)) - from) / (to - from);
    }

    String svg(Part part, RatioBound claimed, double theirs) {
        StringBuilder svg = new StringBuilder(text(
                "<svg class='reach' viewBox='0 0 %.0f %.0f' width='%.0f' height='%.0f' role='img' aria-label='%s'>",
                WIDTH, HEIGHT, WIDTH, HEIGHT, escape(part.what() + ": claimed " + part.bounds())));
        double begin = x(claimed.least());
        double end = claimed.most() == Double.POSITIVE_INFINITY ? WIDTH : x(claimed.most());
        svg.append(text(
                "<rect class='band' x='%.1f' y='0' width='%.1f' height='%.0f'/>",
                begin, Math.max(1.5, end - begin), HEIGHT));
        svg.append(text("<path class='zero' d='M%.1f 0V%.0f'/>", x(1), HEIGHT));
        if (!Double.isNaN(part.low())) {
            svg.append(text("<path class='ci' d='M%.1f 10H%.1f'/>", x(part.low()), x(part.high())));
        }
        if (!Double.isNaN(part.value())) {
            svg.append(text("<circle class='dot' cx='%.1f' cy='10' r='3.5'/>", x(part.value())));
        }
        if (!Double.isNaN(theirs)) {
            svg.append(text("<circle class='ring' cx='%.1f' cy='10' r='4.5'/>", x(theirs)));
        }
        return svg.append("</svg>").toString();
    }
}
