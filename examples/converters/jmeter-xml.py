"""JMeter's XML to the CSV that `measure` reads, one row for each top-level sample: python3 jmeter-xml.py results.xml > results.csv"""
import csv, sys, xml.etree.ElementTree as xml

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow("timeStamp elapsed label responseCode responseMessage threadName success bytes grpThreads allThreads Hostname".split())
for sample in xml.parse(sys.argv[1]).getroot():
    out.writerow(sample.get(key, "") for key in "ts t lb rc rm tn s by ng na hn".split())
