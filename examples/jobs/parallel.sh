#!/usr/bin/env bash
# Imports one file with several processes on this machine, by GNU parallel. Edit the settings, then: ./parallel.sh
# A production profile needs --confirm=<profile> besides: give it as an argument.
INPUT=${INPUT:-answers.csv}
SHARDS=${SHARDS:-4}
RESULTS=${RESULTS:-results}

mkdir -p "$RESULTS"
# A shard that fails is run again up to three times and goes on where it was; 10 means done, with rejected rows.
seq "$SHARDS" | parallel --jobs "$SHARDS" --retries 3 --line-buffer --tag \
  "facescan answers import '$INPUT' --shard {}/$SHARDS --results '$RESULTS' --skip-invalid $*; code=\$?; [ \$code -eq 10 ] || exit \$code"
facescan imports merge "$RESULTS"
