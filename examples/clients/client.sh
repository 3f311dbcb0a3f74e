#!/bin/sh
# A shell has no need of serve: `bohier suggest -o env` is simpler (see ../shell). This
# saves starting a process and reading the journal for every request.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkfifo "$dir/in" "$dir/out"
bohier serve --stdio <"$dir/in" >"$dir/out" &
exec 3>"$dir/in" 4<"$dir/out"

ask() { # one request; the answer is in $answer
  printf '%s\n' "$1" >&3
  read -r answer <&4
  case $answer in *'"code":0,'* | *'"code":3,'*) ;; *) echo "$answer" >&2 && exit 1 ;; esac
}
member() { printf '%s\n' "$answer" | sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

while ask '{"verb":"suggest"}' && trial=$(printf '%s\n' "$answer" | sed -n 's/.*"result":{[^{]*"id":"\([^"]*\)".*/\1/p') && [ -n "$trial" ]; do
  loss=$(awk -v x="$(member x)" -v mode="$(member mode)" -v d="$(member damping)" \
    'BEGIN {print (x - 0.3) ^ 2 + (mode == "damped" ? d : 0.1)}')
  ask "{\"verb\":\"observe\",\"trial\":\"$trial\",\"value\":$loss}"
done
ask '{"verb":"best"}'
echo "best $(member loss)"
