# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154,SC2034 # variables of tests/recorder/run and of an inner sh
#
# Tests of file systems that plain users mount in their own user namespaces: FUSE, and an overlay above it, which lets
# rspd's processes open its files. The server never answers a process that opens, reads or closes a file
# (tests/tools/slow-fs).

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "file systems of users" "needs root and kernel types"
	return
fi

slow=$tmp/file-systems worlds=
mkdir "$slow"
cp "$build/tests/tools/slow-fs" "$build/tests/programs/callers" "$slow"
mknod -m 666 "$slow/fuse" c 10 229

# world NAME UID HOW PROGRAM…: $slow/NAME/pids contains the PID of the file server, and then those of the programs.
world() {
	world_dir=$slow/$1 world_uid=$2
	shift 2
	mkdir "$world_dir" "$world_dir/low" "$world_dir/empty" "$world_dir/merged"
	chown -R "$world_uid" "$world_dir"
	(
		cd "$world_dir" || exit
		exec setpriv --reuid "$world_uid" --regid "$world_uid" --clear-groups unshare -Urm sh -c '
			../slow-fs "$1" low ../callers ../fuse >ready &
			echo $! >pids
			until [ -s ready ]; do kill -0 $! || exit; sleep 0.05; done
			if ! mount -t overlay overlay -o userxattr,lowerdir=low:empty merged; then
				kill $!
				exit
			fi
			shift
			for program; do
				merged/$program 300000 >/dev/null &
				echo $! >>pids
			done
			touch begun
			wait
		' sh "$@"
	) >"$world_dir/log" 2>&1 &
	worlds="$worlds $!"
	await 10 [ -e "$world_dir/begun" ]
	world_status=$?
	fake_pid="$fake_pid $! $(cat "$world_dir/pids")"
	return $world_status
}

end_worlds() {
	# shellcheck disable=SC2086 # several words
	kill $fake_pid 2>/dev/null
	# shellcheck disable=SC2086
	wait $worlds 2>/dev/null
	fake_pid='' worlds=''
}

tables() {
	"$rspctl" status --json | python3 -c "import json, sys; print(json.load(sys.stdin)['tables']['$1'])"
}

hanging() {
	[ "$(tables hanging)" -eq "$1" ]
}

# Returns whether the stacks of a binary that is new to the recorder are complete.
fresh() {
	fresh_cnt=$((${fresh_cnt:-0} + 1))
	cp "$build/tests/programs/depths" "$slow/fresh-$fresh_cnt"
	await 5 good_stacks "$slow/fresh-$fresh_cnt"
}

world_snapshot() {
	timeout 60 "$rspctl" snapshot --pid "$(sed -n 2p "$slow/$1/pids")" --last 10s -o "$tmp/world.rsp" \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq 0 ] || [ $status -eq 3 ]
}

world_has_names() {
	world_snapshot "$1" && "$rspctl" report "$tmp/world.rsp" --view chains 2>/dev/null | grep -q "innermost (program)"
}

ended() {
	[ ! -e "/proc/$1/exe" ] # a zombie also counts as ended
}

none_left() {
	[ -z "$(find /proc -maxdepth 2 -name exe -lname "$tmp/bin/rs*" 2>/dev/null)" ]
}

goes_on() {
	check "$1: the recorder answers" timeout 5 "$rspctl" status
	check "$1: stacks of a new program are complete" fresh
}

export RSP_SOCKET="$tmp/slow.sock"
start_rspd --socket "$RSP_SOCKET"
await 60 rspd_answers "$RSP_SOCKET"
if ! world good 4001 never program; then
	skip "file systems of users" "$(tail -n 1 "$slow/good/log")"
	end_rspd TERM
	end_worlds
	return
fi
check "a user's file system that answers: stacks of its programs have names" await 5 world_has_names good

world close 4002 close program program1 program2
check "files that never close use half of the places" await 30 hanging 2
goes_on "files that never close"
world read 4003 read program
check "a file whose read never ends uses one more place" await 30 hanging 3
world open 4004 open program program1 program2
check "files that never open use the remaining places" await 30 hanging 4
goes_on "no place is left"
check "no place is left: no more processes hang" hanging 4

check "a file whose read never ends: a snapshot of its program is made" world_snapshot read
check "… the log says that names are missing" \
	grep -q "lacks names of functions: reading .* of their files" "$tmp/rspd.err"

kill -s TERM "$rspd_pid"
check "the recorder ends while processes hang" await 10 ended "$rspd_pid"
end_worlds
end_rspd KILL
check "… with status 0" [ "$status" -eq 0 ]
check "… and its processes end when the file systems end" await 10 none_left
unset RSP_SOCKET
rm -rf "$slow"
