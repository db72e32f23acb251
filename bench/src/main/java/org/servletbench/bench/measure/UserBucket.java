package org.servletbench.bench.measure;

/**
 * Users that came and went within a bucket. With the users at its beginning this gives the users at its end and,
 * exactly, their mean over it, in whatever order the records come.
 */
final class UserBucket implements Series.Bucket<UserBucket> {
    /** Users that came less users that went. */
    private long change;
    /** User-milliseconds that they add until the end of the bucket. */
    private long userMs;

    /** @param sign 1 for a user that comes, -1 for one that goes; leftMs until the end of the bucket */
    void change(int sign, long leftMs) {
        change += sign;
        userMs += sign * leftMs;
    }

    long change() {
        return change;
    }

    long userMs() {
        return userMs;
    }

    @Override
    public void merge(UserBucket other) {
        change += other.change;
        userMs += other.userMs;
    }

    @Override
    public void absorb(UserBucket later, long widthMs) {
        userMs += change * widthMs;
        merge(later);
    }

    @Override
    public long footprint() {
        return 32;
    }
}
