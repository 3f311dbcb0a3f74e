#!/bin/sh
# backup.sh DIR JOURNAL…: copies journals to files, for cron every hour. Each call adds
# what came since; a copy that the database contradicts is exit 6 and stays as it is.
set -eu
dir=${1:?usage: backup.sh DIR JOURNAL…}; shift
for journal; do
  "${BOHIER:-bohier}" journal copy "$journal" "$dir/${journal##*#}.journal.jsonl"
done
