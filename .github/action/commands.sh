# Commands of a workflow: what others wrote becomes no command of a runner. Read by the scripts beside it.

# An annotation (error or warning) with a text in one line.
annotate() {
  printf '::%s title=servlet-bench::%s\n' "$1" "$(printf '%s' "$2" | tr '\r\n' '  ' | sed 's/%/%25/g')"
}

# Runs a command of which no line is one, whatever it prints: a runner resumes with a word that nobody else knows.
stopped() {
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$word"
  ended=0
  "$@" 2>&1 || ended=$?
  # At the begin of a line, also behind one without an end.
  printf '\n::%s::\n' "$word"
  return "$ended"
}
