package org.servletbench.bench.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.servletbench.bench.model.Workload;

/**
 * A closed-model client so light that the server has the machine nearly to itself: blocking sockets that stay open, one
 * thread for each user. It warms servers up; it measures nothing.
 */
final class LoadClient {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final URI url;
    private final List<byte[]> requests;
    private final int users;

    LoadClient(URI url, List<Workload> workloads, int users) {
        this.url = url;
        this.users = users;
        this.requests = workloads.stream()
                .map(workload -> HttpWire.request(url, workload.path()))
                .toList();
    }

    /**
     * Sends for this long, all workloads in turn.
     *
     * @return requests/s that were answered with status 200
     */
    double burst(Duration length) throws IOException {
        LongAdder answers = new LongAdder();
        long start = System.nanoTime();
        long end = start + length.toNanos();
        List<Thread> threads = new ArrayList<>();
        IOException[] trouble = new IOException[1];
        for (int user = 0; user < users; user++) {
            int first = user;
            Thread thread = new Thread(
                    () -> {
                        try {
                            send(first, end, answers);
                        } catch (IOException e) {
                            trouble[0] = e;
                        }
                    },
                    "servlet-bench-warm-up-" + user);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TargetException("interrupted while the server was warmed up");
            }
        }
        if (answers.sum() == 0) {
            throw trouble[0] == null ? new IOException("not one answer with status 200") : trouble[0];
        }
        return answers.sum() / ((System.nanoTime() - start) / 1e9);
    }

    private void send(int first, long end, LongAdder answers) throws IOException {
        while (System.nanoTime() < end) {
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(
                        new InetSocketAddress(InetAddress.getByName(url.getHost()), url.getPort()), TIMEOUT_MILLIS);
                InputStream in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
                boolean open = true;
                for (int i = first; open && System.nanoTime() < end; i++) {
                    socket.getOutputStream().write(requests.get(i % requests.size()));
                    HttpWire.Answer answer = HttpWire.read(in);
                    if (answer.status() == 200) {
                        answers.increment();
                    }
                    open = answer.staysOpen();
                }
            }
        }
    }

    /** HTTP/1.1 as far as a GET needs it. */
    static final class HttpWire {

        private static final int LONGEST_HEAD = 64 << 10;

        private HttpWire() {}

        /**
         * One answer.
         *
         * @param status the status code
         * @param headers the lines between status line and body, as they came
         * @param body its bytes, chunks joined
         */
        record Answer(int status, List<String> headers, byte[] body) {

            /** Whether the server keeps the connection. */
            boolean staysOpen() {
                return headers.stream().noneMatch(line -> line.equalsIgnoreCase("connection: close"));
            }
        }

        static byte[] request(URI server, String path) {
            return ("GET " + path + " HTTP/1.1\r\nHost: " + server.getHost() + ":" + server.getPort()
                            + "\r\nUser-Agent: servlet-bench\r\nAccept: */*\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        /** Reads one answer. */
        static Answer read(InputStream in) throws IOException {
            String[] status = line(in).split(" ", 3);
            if (status.length < 2 || !status[0].startsWith("HTTP/1.") || !status[1].matches("\\d{3}")) {
                throw new IOException("the answer is not HTTP");
            }
            List<String> headers = new ArrayList<>();
            long length = -1;
            boolean chunked = false;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                headers.add(line);
                if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = number(line.substring(15).strip(), 10);
                } else if (line.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
                    chunked = line.substring(18).strip().equalsIgnoreCase("chunked");
                }
            }
            byte[] body = chunked ? chunks(in) : length >= 0 ? exactly(in, length) : in.readAllBytes();
            return new Answer(Integer.parseInt(status[1]), headers, body);
        }

        private static byte[] chunks(InputStream in) throws IOException {
            java.io.ByteArrayOutputStream body = new java.io.ByteArrayOutputStream();
            while (true) {
                String head = line(in);
                long length = number(head.split(";")[0].strip(), 16);
                body.writeBytes(exactly(in, length));
                line(in);
                if (length == 0) {
                    return body.toByteArray();
                }
            }
        }

        private static long number(String text, int radix) throws IOException {
            try {
                return Long.parseLong(text, radix);
            } catch (NumberFormatException e) {
                throw new IOException("the answer has a length that is no number");
            }
        }

        private static byte[] exactly(InputStream in, long length) throws IOException {
            byte[] bytes = in.readNBytes((int) Math.min(length, Integer.MAX_VALUE - 8));
            if (bytes.length < length) {
                throw new IOException("the body ended after " + bytes.length + " of " + length + " bytes");
            }
            return bytes;
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder(64);
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0 || line.length() > LONGEST_HEAD) {
                    throw new IOException("the connection was closed in the middle of an answer");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }
    }
}
