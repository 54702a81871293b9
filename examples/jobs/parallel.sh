#!/usr/bin/env bash
# Imports one file with several processes on this machine, using GNU parallel. Edit the settings, then run: ./parallel.sh
# Arguments are passed to the import. A production profile needs --confirm=<profile>.
INPUT=${INPUT:-answers.csv}
SHARDS=${SHARDS:-4}
RESULTS=${RESULTS:-results}

mkdir -p "$RESULTS"
# A failed shard is retried up to three times and resumes. Exit code 10 means finished with rejected rows.
seq "$SHARDS" | parallel --jobs "$SHARDS" --retries 3 --line-buffer --tag \
  "facescan answers import '$INPUT' --shard {}/$SHARDS --results '$RESULTS' --skip-invalid $*; code=\$?; [ \$code -eq 10 ] || exit \$code"
facescan imports merge "$RESULTS"
