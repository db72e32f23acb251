"""Writes the CSV that `measure` reads, which Locust does not keep: add this to the locustfile."""
from locust import events

log = open("results.csv", "w", buffering=1)
log.write("timeStamp,elapsed,label,success\n")

@events.request.add_listener
def write(name, start_time, response_time, exception, **others):
    label = '"' + name.replace('"', '""') + '"'
    log.write(f"{round(1000 * start_time)},{round(response_time)},{label},{str(exception is None).lower()}\n")
