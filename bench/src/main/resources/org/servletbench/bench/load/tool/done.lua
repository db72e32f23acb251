-- Prints what wrk measured as one line of JSON, after the load. It defines nothing that runs per request, so it costs the
-- load nothing. wrk counts in microseconds; nothing measured is null.

local function number(value)
  if value == nil or value ~= value or value == math.huge then
    return "null"
  end
  return string.format("%.3f", value)
end

done = function(summary, latency, requests)
  local measured = summary.requests > 0
  local function time(value)
    return measured and number(value) or "null"
  end
  local percentiles = {}
  for _, p in ipairs({ 50, 75, 90, 95, 99, 99.9 }) do
    table.insert(percentiles, string.format('"%s":%s', p, time(latency:percentile(p))))
  end
  local errors = summary.errors
  io.write(string.format(
    '\n{"wrk":"done","duration":%.0f,"requests":%.0f,"bytes":%.0f,'
      .. '"errors":{"connect":%.0f,"read":%.0f,"write":%.0f,"status":%.0f,"timeout":%.0f},'
      .. '"latency":{"mean":%s,"min":%s,"max":%s,"stdev":%s,"percentiles":{%s}}}\n',
    summary.duration, summary.requests, summary.bytes,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    time(latency.mean), time(latency.min), time(latency.max), time(latency.stdev),
    table.concat(percentiles, ",")))
end
