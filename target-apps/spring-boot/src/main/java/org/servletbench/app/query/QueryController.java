package org.servletbench.app.query;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The workload {@code query}, which reads one row by its key over a pooled connection. It exists only in the
 * application with a database (Maven profile {@code query}). The table is filled at start-up if it is missing.
 */
@RestController
class QueryController {

    private static final int ROWS = 10_000;
    private static final int TRIES = 40;
    private static final long PAUSE_MILLIS = 250;
    private static final String TABLE = "servlet_bench_row";

    private final DataSource source;

    QueryController(DataSource source) throws SQLException, InterruptedException {
        this.source = source;
        fill();
    }

    @GetMapping(path = "/query/{id}", produces = MediaType.TEXT_PLAIN_VALUE)
    String query(@PathVariable("id") int id) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select content from " + TABLE + " where id = ?")) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException("no row " + id + ": there are 1 to " + ROWS);
                }
                return row.getString(1);
            }
        }
    }

    /**
     * Fills the table. Several servers may start at once with one database; later ones wait for the rows of the first.
     */
    private void fill() throws SQLException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    if (fill(connection) == ROWS) {
                        connection.commit();
                        return;
                    }
                    throw new SQLException("the table " + TABLE + " has other rows than ours: drop it");
                } catch (SQLException e) {
                    connection.rollback();
                    if (attempt == TRIES || e.getSQLState() == null) {
                        throw e;
                    }
                } finally {
                    connection.setAutoCommit(true);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static int fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists " + TABLE + " (id integer primary key, content varchar(100) not null)");
            int rows = count(statement);
            if (rows > 0) {
                return rows;
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into " + TABLE + " values (?, ?)")) {
            for (int id = 1; id <= ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, String.format("row %05d of %d, one of the table of servlet-bench.", id, ROWS));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return ROWS;
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet count = statement.executeQuery("select count(*) from " + TABLE)) {
            count.next();
            return count.getInt(1);
        }
    }
}
