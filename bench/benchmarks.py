#!/usr/bin/env python3
"""Measures how fast `measure` reads logs, beside other readers of the same file, in turn, and prints the tables of BENCHMARKS.md.

    python3 bench/benchmarks.py FOLDER [--rows N,N,...] [--labels N,N,...] [--rounds N] [--jmeter BIN] [--gatling CLASSPATH]

Needs bench/target/bench.jar, a JDK 17, Python with the package duckdb, and some GB in FOLDER. JMeter's bin folder and Gatling's class path
are optional. CPU time is user + system time of the whole process; ratios are of one round, and the median of all rounds is shown.
"""

import argparse
import os
import statistics
import subprocess
import sys
import random
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
JAR = os.path.join(HERE, "target", "bench.jar")
LOGS = os.path.join(HERE, "src/test/java/org/servletbench/bench/load/BigLogs.java")
HEADER = (
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,"
    "grpThreads,allThreads,Latency,IdleTime,Connect\n"
)
QUERY = """
import duckdb, sys
db = duckdb.connect()
db.execute("SET threads = 2")
print(len(db.execute(f'''
    SELECT label, count(*), avg(elapsed), quantile_disc(elapsed, [0.5, 0.75, 0.9, 0.95, 0.99, 0.999]),
        sum(CASE WHEN success THEN 0 ELSE 1 END), count(*) * 1000.0 / (max(timeStamp + elapsed) - min(timeStamp))
    FROM read_csv('{sys.argv[1]}') GROUP BY label''').fetchall()), "labels")
"""


def ours(log):
    return ["java", "-Xmx64m", "-jar", JAR, "measure", log]


def cost(command):
    """CPU time in s and peak memory in MB of a command; exits if that fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{said.decode()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def in_turn(readers, rounds, before=lambda name: None):
    """Runs all readers in each round; by name their costs."""
    costs = {name: [] for name in readers}
    for _ in range(rounds):
        for name, command in readers.items():
            before(name)
            costs[name].append(cost(command))
    return costs


def table(log, costs):
    for name, runs in costs.items():
        ratio = statistics.median(a[0] / b[0] for a, b in zip(runs, costs["measure"]))
        print(
            f"| {log} | {name} | {statistics.median(run[0] for run in runs):.1f} | {ratio:.2f} "
            f"| {max(run[1] for run in runs):.0f} |",
            flush=True,
        )


def with_labels(file, rows, labels):
    chance = random.Random(1)
    with open(file, "w", encoding="ascii") as log:
        log.write(HEADER)
        for row in range(rows):
            ms = 1 + int(chance.expovariate(1 / 50))
            log.write(
                f"{1_700_000_000_000 + row // 10},{ms},GET /item/{chance.randrange(labels)},200,OK,Shop 1-{row % 100 + 1},text,"
                f"true,,178,121,100,100,{ms},0,0\n"
            )


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--rows", default="100000,1000000,10000000,30000000")
    arguments.add_argument("--labels", default="1,300,1000,10000,50000")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--jmeter")
    arguments.add_argument("--gatling")
    given = arguments.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    print("| log | reader | CPU time, s | times measure's | peak, MB |\n|---|---|---|---|---|", flush=True)
    for rows in filter(None, given.rows.split(",")):
        log = os.path.join(given.folder, f"{rows}.csv")
        report = os.path.join(given.folder, "report")
        subprocess.run(["java", LOGS, "jmeter", rows, log], check=True)
        readers = {
            "measure": ours(log),
            "DuckDB": [sys.executable, "-c", QUERY, log],
            "wc -l": ["wc", "-l", log],
        }
        if given.jmeter:
            jar = os.path.join(given.jmeter, "ApacheJMeter.jar")
            readers["JMeter -g"] = ["java", "-jar", jar, "-g", log, "-o", report, "-j", os.devnull]
        table(
            f"JMeter, {int(rows):,} rows",
            in_turn(readers, given.rounds, lambda name: shutil.rmtree(report, ignore_errors=True)),
        )
        os.remove(log)
        run = os.path.join(given.folder, "run")
        os.makedirs(run, exist_ok=True)
        log = os.path.join(run, "simulation.log")
        subprocess.run(["java", LOGS, "gatling", rows, log], check=True)
        readers = {"measure": ours(log)}
        if given.gatling:
            opens = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"]
            readers["Gatling"] = ["java", *opens, "-cp", given.gatling, "io.gatling.app.Gatling", "-ro", "run", "-rf", given.folder]
        table(f"Gatling, {int(rows):,} requests", in_turn(readers, given.rounds))
        shutil.rmtree(run)
    for labels in filter(None, given.labels.split(",")):
        log = os.path.join(given.folder, f"labels-{labels}.csv")
        with_labels(log, 1_000_000, int(labels))
        table(
            f"JMeter, 1,000,000 rows, {int(labels):,} labels",
            in_turn({"measure": ours(log), "DuckDB": [sys.executable, "-c", QUERY, log]}, given.rounds),
        )
        os.remove(log)


if __name__ == "__main__":
    main()
