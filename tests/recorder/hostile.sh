# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154,SC2034 # variables of tests/recorder/run and of an inner sh
#
# Tests of programs whose files are invalid (hostile-files), or change while they are read (tests/programs/scribble).

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "hostile files" "needs root and kernel types"
	return
fi

hostile=$tmp/hostile
mkdir "$hostile"
export RSP_SOCKET="$tmp/hostile.sock"
start_rspd --socket "$RSP_SOCKET"
await 60 rspd_answers "$RSP_SOCKET"
check "hostile files are made" sh -c '"$1" "$2" "$3" >"$4"' sh \
	"$here/hostile-files" "$build/tests/programs/depths" "$hostile" "$tmp/hostile-list"

check "stacks of a good program are complete" await 30 good_stacks

# Each hostile program is a new file, so the recorder must read all of them.
hostile_pids=
while read -r file; do
	timeout 60 "$file" plain >/dev/null 2>&1 &
	hostile_pids="$hostile_pids $!"
done <"$tmp/hostile-list"
for size in 1 64 2048; do
	timeout 60 "$build/tests/programs/scribble" "$hostile/scribbled-$size" $size >/dev/null 2>&1 &
	hostile_pids="$hostile_pids $!"
done
check "the recorder answers meanwhile" timeout 10 "$rspctl" status
check "stacks of a good program are complete beside hostile ones" await 30 good_stacks
failed_programs=0
for pid in $hostile_pids; do
	wait "$pid" || failed_programs=$((failed_programs + 1))
done
check "all hostile programs ran" test "$failed_programs" -eq 0
check "the recorder is still the same process" kill -0 "$rspd_pid"
check "stacks of a good program are complete after hostile ones" await 30 good_stacks

# The last snapshot contains stacks of the hostile programs, so rspctl reads names from their files.
for verb in "symbolize $tmp/good.rsp" "report $tmp/good.rsp --view chains" "report $tmp/good.rsp --view table"; do
	# shellcheck disable=SC2086 # words of a command
	timeout 60 "$rspctl" $verb >"$tmp/out" 2>"$tmp/err"
	status=$?
	check "hostile files and rspctl ${verb%% *}" [ $status -eq 0 -o $status -eq 3 ]
done
check "the snapshot has stacks in hostile files" grep -q " flip-0 " "$tmp/stacks"
end_rspd TERM
check "the recorder ends with status 0" test "$status" -eq 0

# Returns whether a process that opens files for this recorder waits for a file server.
waits_for_file() {
	for pid in $(pgrep -P "$(pgrep -P "$rspd_pid" -x rspd-opener)"); do
		! grep -q fuse "/proc/$pid/stack" || return 0
	done
	return 1
}

# In this file system a program can run once. After that, open() or close() of its file never returns.
slow=$hostile/slow
mkdir "$slow"
for what in open close; do
	: >"$tmp/slow-out"
	"$build/tests/tools/slow-fs" $what "$slow" "$build/tests/programs/depths" >"$tmp/slow-out" 2>"$tmp/err" &
	slow_pid=$!
	if ! await 5 [ -s "$tmp/slow-out" ]; then
		skip "a file that takes for ever to $what" "$(cat "$tmp/err")"
		continue
	fi
	start_rspd --socket "$RSP_SOCKET"
	await 60 rspd_answers "$RSP_SOCKET"
	check "a file that takes for ever to $what: its program runs" sh -c '"$1" plain >"$2"' sh "$slow/program" "$tmp/hanging"
	check "… a process waits for the file" await 10 waits_for_file
	check "… the recorder answers" timeout 10 "$rspctl" status
	check "… stacks of another program are complete" await 30 good_stacks
	timeout 90 "$rspctl" snapshot --pid "$(sed -n 's/^pid //p' "$tmp/hanging")" --last 60s >"$tmp/out" 2>"$tmp/err"
	status=$?
	check "… a snapshot of its program is made" [ $status -eq 0 -o $status -eq 3 ]
	end_rspd TERM
	check "… the recorder ends" test "$status" -eq 0
	kill "$slow_pid" # its end releases the stuck processes
	wait "$slow_pid" 2>/dev/null
	umount -l "$slow"
done
unset RSP_SOCKET
rm -rf "$hostile"
