package org.servletbench.bench.article;

import java.util.List;
import java.util.Optional;

/**
 * One cell alone has errors; in the others they are below what is printed as 0.
 *
 * @param errorsOnly the arm with errors
 * @param share its failed requests as a share of all: 0.01 is one in a hundred
 * @param shareWithin how far its share may be from that, as a share of all requests
 * @param elsewhereBelow the share below which another cell has no errors to speak of; 0 where it must have none
 */
public record ErrorsOnly(
        String errorsOnly,
        int atUsers,
        double share,
        double shareWithin,
        @Maybe double elsewhereBelow,
        List<String> arms,
        String workload,
        List<Integer> users)
        implements Statement {

    public ErrorsOnly {
        Invalid.distinct("arms", arms, 1);
        Invalid.users("users", users, 1);
        Invalid.oneOf("errors-only", errorsOnly, arms);
        if (!users.contains(atUsers)) {
            throw new Invalid("at-users", "must be one of 'users'");
        }
        Invalid.range("share", share, 0, 1);
        Invalid.range("share-within", shareWithin, 0, 1);
        Invalid.range("elsewhere-below", elsewhereBelow, 0, 1);
    }

    @Override
    public List<Point> cells() {
        return arms.stream()
                .flatMap(arm -> users.stream().map(number -> new Point(arm, workload, number)))
                .toList();
    }

    @Override
    public Optional<Quantity> metric() {
        return Optional.of(Quantity.ERRORS_PRINTED);
    }

    public Point failing() {
        return new Point(errorsOnly, workload, atUsers);
    }

    /** Whether a cell's share of errors is as claimed: the stated one in that cell, as good as none in the others. */
    public boolean accepts(Point cell, double errorShare) {
        return cell.equals(failing())
                ? Math.abs(errorShare - share) <= shareWithin
                : errorShare == 0 || errorShare < elsewhereBelow;
    }

    /** Reads the figures' errors as shares, which is what the figures of our own runs hold. */
    @Override
    public Optional<Boolean> holds(Figures figures) {
        return Statement.all(cells().stream()
                .map(cell -> figures.at(cell, Quantity.ERRORS_PRINTED).stream()
                        .mapToObj(errors -> accepts(cell, errors))
                        .findFirst())
                .toList());
    }
}
