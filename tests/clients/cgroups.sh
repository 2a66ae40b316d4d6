# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# Users who request snapshots by cgroup. The process that drains the rings must not walk thousands of descendants.

cg_top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
cg=/rsp-test-$$ unit=rsptest$$.slice
if [ -z "$cg_top" ] || ! mkdir "$cg_top$cg" 2>/dev/null; then
	skip "cgroups" "cannot make cgroups of version 2"
	return
fi

remove_cgroups() {
	for pid in $client_pids; do
		kill "$pid" 2>/dev/null
	done
	client_pids=
	await 10 no_tasks
	find "$cg_top$cg" "$cg_top/$unit" -depth -type d -exec rmdir {} + 2>/dev/null
	at_exit=:
}
no_tasks() {
	! cat "$cg_top$cg/x.slice/$unit/deep/cgroup.procs" \
		"$cg_top/$unit/cgroup.procs" 2>/dev/null | grep -q .
}
at_exit=remove_cgroups

# put CGROUP: starts the program sleeper in the cgroup. Writes its PID to $tmp/sleeper.
put() {
	mkdir -p "$cg_top$1"
	sh -c 'echo $$ >"$1" && echo $$ >"$2" && exec "$3" 100000 5' - "$cg_top$1/cgroup.procs" "$tmp/sleeper" \
		"$tmp/bin/sleeper" >/dev/null &
	client_pids="$client_pids $!"
	await 10 test -s "$tmp/sleeper"
}

# finds KIND VALUE: returns whether a snapshot with --KIND=VALUE is about the program that put() started.
finds() {
	"$rspctl" snapshot "--$1" "$2" --last 5s --json -o "$tmp/found.rsp" >"$tmp/out" 2>"$tmp/err"
	"$rspctl" info "$tmp/found.rsp" >>"$tmp/out" 2>>"$tmp/err"
	cat "$tmp/err"
	grep -q "sleeper.*$(cat "$tmp/sleeper")\|$(cat "$tmp/sleeper").*sleeper" "$tmp/out"
}

begin_rspd
put "$cg/x.slice/$unit/deep"
check "a snapshot of a cgroup is about a program in a descendant" await 10 finds cgroup "$cg/x.slice"
"$rspctl" snapshot --unit "$unit" --last 5s >"$tmp/out" 2>"$tmp/err"
status=$?
check "a directory named like a unit is not a unit" sh -c 'cat "$2"; [ "$1" -ne 0 ] && grep -q "there is no unit" "$2"' - $status "$tmp/err"
: >"$tmp/sleeper"
put "/$unit"
check "a unit at its usual path is found" await 10 finds unit "$unit"
end_well "units"

# Clients request snapshots of a cgroup with thousands of descendants, while processes start and end all the time.
seq -f "$cg_top$cg/many/%05.0f" 6000 | (mkdir "$cg_top$cg/many" && xargs mkdir)
begin_rspd
"$tmp/bin/fork-many" 1000000 100 >/dev/null &
client_pids="$client_pids $!"
before_ms=$(rspd_cpu_ms) before_lost=$(number 's["lost"]')
slowest_ms=0
for i in 1 2 3 4 5; do
	start_as 65534 "$tmp/bin/ask" "$RSP_SOCKET" Snapshot "{\"cgroup\":\"$cg/many\"}" >"$tmp/out.$i" 2>&1
	asking=$!
	at_ms=$(now_ms)
	"$rspctl" status >/dev/null 2>&1
	at_ms=$(($(now_ms) - at_ms))
	[ $at_ms -le $slowest_ms ] || slowest_ms=$at_ms
	wait $asking
done
walked_ms=$(($(rspd_cpu_ms) - before_ms))
cat "$tmp"/out.? >"$tmp/out"
echo "# 6000 cgroups: $walked_ms ms of the recorder, $(($(number 's["lost"]') - before_lost)) records lost, status within $slowest_ms ms"
check "6000 cgroups: each call gets an answer" test "$(grep -c NoSuchProcess "$tmp/out")" -eq 5
check "6000 cgroups: the recorder itself does not walk them" test "$walked_ms" -lt 300
check "6000 cgroups: the recorder answers meanwhile" test "$slowest_ms" -lt 3000
end_well "6000 cgroups"
remove_cgroups
