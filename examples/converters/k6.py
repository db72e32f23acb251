"""k6's CSV to the CSV that `measure` reads: python3 k6.py k6.csv > results.csv

Run k6 with: K6_CSV_TIME_FORMAT=unix_milli k6 run --out csv=k6.csv script.js. Its rows have the end of a request.
"""
import csv, sys

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow("timeStamp elapsed label responseCode success".split())
for row in csv.DictReader(open(sys.argv[1])):
    if row["metric_name"] == "http_req_duration":
        elapsed = round(float(row["metric_value"]))
        out.writerow([int(row["timestamp"]) - elapsed, elapsed, row["name"], row["status"], row["expected_response"]])
