# Workflow commands, so that third-party text never becomes a command of the runner. Sourced by the other scripts.

# Prints an annotation (error or warning) with a text in one line.
annotate() {
  printf '::%s title=servlet-bench::%s\n' "$1" "$(printf '%s' "$2" | tr '\r\n' '  ' | sed 's/%/%25/g')"
}

# Runs a command whose output is never taken for workflow commands: the runner resumes only at a secret word.
stopped() {
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$word"
  ended=0
  "$@" 2>&1 || ended=$?
  # At the start of a line, even after an unfinished one.
  printf '\n::%s::\n' "$word"
  return "$ended"
}
