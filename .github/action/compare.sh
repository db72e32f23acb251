#!/bin/sh
# Measures, or pools what several runners have measured. Outputs: verdict, summary, junit, bmf, folder.
set -eu

bench=${SERVLET_BENCH_HOME:?}/bin/servlet-bench
. "$(dirname "$0")/commands.sh"
# A separate folder for each use of the action in a job.
results=$(mktemp -d "${RUNNER_TEMP:?}/servlet-bench-results.XXXXXX")
output() {
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}
# Set before anything runs: if this step is killed, the workflow keeps the summary so far.
output summary "$results/summary.md"
# The first line of a summary has the verdict; without one the run failed.
finish() {
  verdict=failed
  if [ -f "$results/summary.md" ]; then
    verdict=$(sed -n '1s/^<!-- servlet-bench: \([a-z]*\) -->$/\1/p' "$results/summary.md")
  fi
  output verdict "${verdict:-failed}"
  exit "$1"
}
code=0

if [ -n "${INPUT_POOL-}" ]; then
  set --
  for campaign in "$INPUT_POOL"/*/campaign.json "$INPUT_POOL"/*/*/campaign.json; do
    [ ! -f "$campaign" ] || set -- "$@" "$(dirname "$campaign")"
  done
  missing=
  if [ -n "${INPUT_SHARDS-}" ] && [ $# -lt "$INPUT_SHARDS" ]; then
    missing="$# of $INPUT_SHARDS shards have a campaign. If a build failed on the others, this pool does not show it: look at their jobs."
    annotate warning "$missing"
  fi
  if [ $# -lt 3 ]; then
    annotate error "three campaigns or more can be pooled, and $INPUT_POOL has $#"
    finish 1
  fi
  # Copies its output to a file, for the annotation.
  report() {
    ended=0
    sh "$bench" report --summary "$results/summary.md" "$@" 2>"$results/errors" || ended=$?
    cat "$results/errors"
    return "$ended"
  }
  stopped report "$@" || code=$?
  if [ -f "$results/summary.md" ]; then
    if [ -n "$missing" ]; then
      # Inserted between the first lines and the list below them.
      { sed 3q "$results/summary.md" && printf '%s\n' "- $missing" && sed 1,3d "$results/summary.md"; } >"$results/whole.md"
      mv "$results/whole.md" "$results/summary.md"
    fi
    [ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$results/summary.md" >>"$GITHUB_STEP_SUMMARY"
  elif [ "$code" != 0 ]; then
    annotate error "$(tail -n 1 "$results/errors")"
  fi
  finish "$code"
fi

name=campaign
set -- compare
[ -z "${INPUT_COMPARISON-}" ] || set -- "$@" "$INPUT_COMPARISON"
if [ -n "${INPUT_BEFORE-}${INPUT_AFTER-}" ]; then
  set -- "$@" --app "${INPUT_BEFORE-}" --app "${INPUT_AFTER-}"
  # A comparison of the user's own may have its own requests.
  [ -z "${INPUT_URL-}" ] || set -- "$@" --url "$INPUT_URL"
fi
[ -z "${INPUT_LIMIT-}" ] || set -- "$@" --limit "$INPUT_LIMIT"
if [ -n "${INPUT_SHARD-}" ]; then
  case $INPUT_SHARD in
    *[!0-9]*)
      annotate error "shard is not a number"
      finish 2
      ;;
  esac
  # Each shard has its own seed, which a rerun repeats; the pool gives the verdict, so no shard fails because of its findings.
  name=shard-$INPUT_SHARD
  set -- "$@" --set "stop.seed=$((${GITHUB_RUN_ID:-0} % 10000000 * 100 + INPUT_SHARD))" --fail-on never
else
  # Always given, so that a comparison without claims, which could never fail, is rejected.
  set -- "$@" --fail-on "${INPUT_FAIL_ON:-slower}"
fi
output folder "$results/$name"
output junit "$results/verdicts.xml"
output bmf "$results/bmf.json"
export SERVLET_BENCH_COMMANDS="$results/commands"
stopped sh "$bench" "$@" --out "$results/$name" --summary "$results/summary.md" --junit "$results/verdicts.xml" \
  --bmf "$results/bmf.json" || code=$?
[ ! -f "$SERVLET_BENCH_COMMANDS" ] || cat "$SERVLET_BENCH_COMMANDS"
finish "$code"
