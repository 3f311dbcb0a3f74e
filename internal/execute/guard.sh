trap "" TERM INT HUP
read -r id && read -r _ && exit
if [ -n "$2" ] && echo 1 >"$2/cgroup.kill"; then
	for round in 1 2 3 4 5 6 7 8 9 10; do rmdir "$2" && exit; sleep 0.1; done
	exit
fi
[ -z "$id" ] || kill -KILL "-$id"
for round in 1 2 3 4 5 6 7 8 9 10; do
	left=$(grep -ls "$1" /proc/[0-9]*/environ)
	[ -n "$left" ] || exit
	for f in $left; do f=${f#/proc/}; kill -KILL "${f%/environ}"; done
done
