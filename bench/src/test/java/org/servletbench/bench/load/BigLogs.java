package org.servletbench.bench.load;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Writes logs of any size for the benchmarks in {@code bench/BENCHMARKS.md}: users of the closed model over four
 * workloads and four numbers of users, with one request in 10,000 failed. It needs only the JDK:
 * {@code java BigLogs.java gatling|jmeter REQUESTS FILE [HOSTS]}. With hosts, it writes a log for each (FILE.1 and so
 * on), with that number of requests and its share of the users.
 */
final class BigLogs {
    private static final String[] WORKLOADS = {"hello", "static", "payload", "metrics"};
    private static final int[] TIERS = {100, 200, 500, 1500};
    private static final long START = 1_700_000_000_000L;
    private static final String FAILURE = "status.find.is(200), but actually found 503";

    private BigLogs() {}

    /** Receives the load. */
    private interface Sink {
        void user(int load, boolean start, int at) throws IOException;

        void request(int load, int user, int users, int start, int end, boolean ok) throws IOException;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 3 || args.length > 4 || !(args[0].equals("gatling") || args[0].equals("jmeter"))) {
            System.err.println("usage: java BigLogs.java gatling|jmeter REQUESTS FILE [HOSTS]");
            System.exit(2);
        }
        long requests = Long.parseLong(args[1]);
        int hosts = args.length == 4 ? Integer.parseInt(args[3]) : 1;
        for (int host = 1; host <= hosts; host++) {
            Path log = Path.of(args.length == 4 ? args[2] + "." + host : args[2]);
            try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(log), 1 << 20)) {
                run(
                        requests,
                        host,
                        hosts,
                        args[0].equals("gatling") ? gatling(new DataOutputStream(file)) : jmeter(file));
            }
        }
    }

    private static void run(long requests, int host, int hosts, Sink sink) throws IOException {
        SplittableRandom random = new SplittableRandom(19 + host);
        int loads = WORKLOADS.length * TIERS.length;
        int clock = 0;
        for (int load = 0; load < loads; load++) {
            long left = requests * (load + 1) / loads - requests * load / loads;
            clock = load(load, TIERS[load % TIERS.length] / hosts, left, clock, random, sink) + 2000;
        }
    }

    /**
     * Simulates one number of users: they start within a second, and each sends the next request as soon as it has an
     * answer.
     */
    private static int load(int load, int users, long left, int begin, SplittableRandom random, Sink sink)
            throws IOException {
        // By end of the request, then by user; its start is in the array.
        PriorityQueue<Long> ends = new PriorityQueue<>();
        int[] starts = new int[users];
        int clock = begin;
        int started = 0;
        while (left > 0) {
            boolean next = started < users && (ends.isEmpty() || begin + 1000L * started / users <= ends.peek() >> 16);
            if (next) {
                int at = begin + (int) (1000L * started / users);
                sink.user(load, true, at);
                starts[started] = at;
                ends.add((long) at + response(users, random) << 16 | started);
                started++;
                continue;
            }
            long end = ends.poll();
            int user = (int) (end & 0xFFFF);
            clock = (int) (end >> 16);
            sink.request(load, user, started, starts[user], clock, random.nextInt(10_000) != 0);
            left--;
            starts[user] = clock;
            ends.add((long) clock + response(users, random) << 16 | user);
        }
        for (int user = 0; user < started; user++) {
            sink.user(load, false, clock + 1);
        }
        return clock;
    }

    /**
     * Returns response times with a long tail. Their mean in ms is about a tenth of the number of users, which makes
     * 10,000 requests/s.
     */
    private static int response(int users, SplittableRandom random) {
        double tail = random.nextInt(200) == 0 ? 8 : 1;
        return (int) Math.max(1, Math.min(60_000, -Math.log(1 - random.nextDouble()) * tail * users / 10.35));
    }

    private static String name(int load) {
        return WORKLOADS[load / TIERS.length] + " " + TIERS[load % TIERS.length] + " users";
    }

    private static Sink gatling(DataOutputStream out) throws IOException {
        int loads = WORKLOADS.length * TIERS.length;
        out.writeByte(0);
        string(out, "3.15.1");
        string(out, "org.servletbench.Generated");
        out.writeLong(START);
        string(out, "");
        out.writeInt(loads);
        for (int load = 0; load < loads; load++) {
            string(out, name(load));
        }
        out.writeInt(0);
        return new Sink() {
            private final int[] numbers = new int[loads + 2];
            private int last;

            private void cached(int key, String text) throws IOException {
                if (numbers[key] == 0) {
                    numbers[key] = ++last;
                    out.writeInt(last);
                    string(out, text);
                } else {
                    out.writeInt(-numbers[key]);
                }
            }

            @Override
            public void user(int load, boolean start, int at) throws IOException {
                out.writeByte(2);
                out.writeInt(load);
                out.writeBoolean(start);
                out.writeInt(at);
            }

            @Override
            public void request(int load, int user, int users, int start, int end, boolean ok) throws IOException {
                out.writeByte(1);
                out.writeInt(0);
                cached(load, name(load));
                out.writeInt(start);
                out.writeInt(end);
                out.writeBoolean(ok);
                cached(ok ? loads : loads + 1, ok ? "" : FAILURE);
            }
        };
    }

    private static void string(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeInt(bytes.length);
        if (bytes.length > 0) {
            out.write(bytes);
            out.writeByte(0);
        }
    }

    private static Sink jmeter(OutputStream out) throws IOException {
        out.write(
                ("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,"
                                + "allThreads,Latency,IdleTime,Connect\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new Sink() {
            private byte[] line = new byte[256];
            private int length;

            private void text(String text) {
                for (int i = 0; i < text.length(); i++) {
                    line[length++] = (byte) text.charAt(i);
                }
            }

            private void number(long number) {
                int digits = length;
                do {
                    line[length++] = (byte) ('0' + number % 10);
                    number /= 10;
                } while (number > 0);
                for (int i = digits, j = length - 1; i < j; i++, j--) {
                    byte swap = line[i];
                    line[i] = line[j];
                    line[j] = swap;
                }
            }

            @Override
            public void user(int load, boolean start, int at) {
                // JMeter records nothing here.
            }

            @Override
            public void request(int load, int user, int users, int start, int end, boolean ok) throws IOException {
                length = 0;
                number(START + start);
                text(",");
                number(end - start);
                text(",");
                text(name(load));
                text(ok ? ",200,OK," : ",503,Service Unavailable,");
                text(name(load));
                text(" 1-");
                number(user + 1);
                text(ok ? ",text,true,,178,121," : ",text,false,,330,121,");
                number(users);
                text(",");
                number(users);
                text(",");
                number(end - start);
                text(",0,0\n");
                out.write(line, 0, length);
                if (length > line.length / 2) {
                    line = Arrays.copyOf(line, 2 * line.length);
                }
            }
        };
    }
}
