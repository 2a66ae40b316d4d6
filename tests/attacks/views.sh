# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2086 # variables of tests/attacks/run; words of a command
#
# Attacks of users who try to see processes of others in a snapshot of their own processes. The snapshot of user nobody
# must contain processes with names like own-…, but no other-… (another user's) and no secret-…. A snapshot of root must
# contain all of them.

views=$tmp/views

other=1234   # a user with processes of their own
mapped=100000 # a user of a container

# copy NAME [MODE]: copies the program disguise to NAME. A process that runs the copy has this name, too.
copy() {
	install -m "${2:-755}" "$build/tests/programs/disguise" "$views/$1"
}

# act COMMAND…: sets $acted to the PID of the command in the background.
act() {
	"$@" >>"$tmp/views.log" 2>&1 &
	acted=$!
	view_pids="$view_pids $acted"
}

as_user() {
	as_uid=$1
	shift
	exec setpriv --reuid "$as_uid" --regid "$as_uid" --clear-groups "$@"
}

# as_pid PID COMMAND…: runs a command in the background with the PID of an ended process. If another process gets this
# PID first, as_pid tries again.
as_pid() {
	wanted=$1
	shift
	for _ in $(seq 50); do
		echo $((wanted - 1)) >/proc/sys/kernel/ns_last_pid || return 1
		act "$@"
		[ "$acted" -eq "$wanted" ] && return
		kill "$acted"
		wait "$acted"
	done 2>/dev/null
	return 1
}

# is_over PID: returns whether the PID of the killed process is free again.
is_over() {
	kill "$1"
	wait "$1"
	! kill -0 "$1"
} 2>/dev/null

# root_knows NAME…: returns whether root's snapshot contains these processes, so the recorder must withhold them from
# the user.
root_knows() {
	rspctl snapshot --pid $$ --last 60s -o "$tmp/all.rsp" >/dev/null 2>&1
	"$build/tests/tools/seen" "$tmp/all.rsp" >"$tmp/all" 2>&1
	for known; do
		grep -q "^task .* $known\$" "$tmp/all" || return 1
	done
}

# looks COMMAND…: runs a command that saves a snapshot as $tmp/open/look.rsp, and writes its content to $tmp/looked. The
# recorder limits the rate of requests, so the caller repeats a command that fails.
looks() {
	rm -f "$tmp/open/look.rsp"
	("$@") >"$tmp/look.log" 2>&1
	"$build/tests/tools/seen" "$tmp/open/look.rsp" >"$tmp/looked" 2>&1
}

look() {
	check "$1: a snapshot is made" await 30 looks $2
}

shows() {
	grep -q "^task .* $1\$" "$tmp/looked"
}

# withholds NAME: checks that the user's snapshot contains no process or program of that name.
withholds() {
	! grep "$1" "$tmp/looked"
}

# --- the processes ----------------------------------------------------------------------------

act_programs() {
	act as_user $nobody "$views/own-plain" run
	act as_user $other "$views/other-plain" run
	act "$views/secret-root" run
	root_pid=$acted
	act as_user $nobody "$views/secret-setuid" run
	act as_user $nobody "$views/secret-lent" become $nobody "$views/own-lent" run
	act "$views/secret-login" become $nobody "$views/own-login" run
	act "$views/secret-thread" thread $nobody
	act as_user $nobody "$views/secret-closed" close
	act as_user $nobody "$views/secret-later" close-later
	act as_user $nobody "$views/secret-ended" close-and-end
}
seen_programs="own-plain other-plain secret-root secret-setuid secret-lent own-lent secret-login own-login secret-thread
	secret-closed secret-later secret-ended"

# Reuses PIDs: the PID of a process of the user now belongs to a process of root, and the reverse.
act_pids() {
	act as_user $nobody "$views/own-first" run
	first=$acted
	act "$views/secret-first" run
	second=$acted
	await 20 root_knows own-first secret-first && is_over "$first" && is_over "$second" || return
	as_pid "$first" "$views/secret-next" run && as_pid "$second" as_user $nobody "$views/own-next" run
}

# Processes in a user namespace may run as other users of the machine. The recorder must withhold these processes from
# the namespace's owner.
act_namespaces() {
	act as_user $nobody unshare --user --map-root-user "$views/own-userns" run
	act as_user $other unshare --user --map-root-user "$views/other-userns" run
	act unshare --user sleep 240
	await 10 map_users "$acted" || return
	act nsenter --user --target "$acted" --setuid 0 --setgid 0 "$views/secret-box" run
	act as_user $nobody unshare --user sleep 240
	await 10 map_users "$acted" || return
	act nsenter --user --target "$acted" --setuid 0 --setgid 0 "$views/secret-subuid" run
}

map_users() {
	[ "$(readlink "/proc/$1/ns/user")" != "$(readlink /proc/self/ns/user)" ] &&
		echo "0 $mapped 65536" >"/proc/$1/uid_map" && echo "0 $mapped 65536" >"/proc/$1/gid_map"
} 2>/dev/null

# --- the snapshots ----------------------------------------------------------------------------

snapshot_of_nobody() {
	as_user $nobody rspctl snapshot --last 60s -o "$tmp/open/look.rsp"
}

snapshot_of_false_root() {
	as_user $nobody unshare --user --map-root-user rspctl snapshot --last 60s -o "$tmp/open/look.rsp"
}

is_denied_false_root() {
	(as_user $nobody unshare --user --map-root-user rspctl snapshot --pid "$root_pid" -o "$tmp/open/look.rsp")
	[ $? -eq 4 ]
}

# A connection belongs to the user who opened it, even if a process of another user uses it.
snapshot_of_receiver() {
	tests/attacks/pass-socket "$RSP_SOCKET" $nobody $other "$tmp/open/look.rsp"
}

snapshot_of_opener() {
	tests/attacks/pass-socket "$RSP_SOCKET" $other $nobody "$tmp/open/look.rsp"
}

check_view() {
	look "$1" "$2"
	for own in $3; do
		check "$1: $own is in the snapshot" shows "$own"
	done
	for not_own in $4 secret-; do
		check "$1: ${not_own}… is not in the snapshot" withholds "$not_own"
	done
}

# With the mount option hidepid, rspd sees only some processes in /proc.
with_hidden_pids() {
	hidden_socket=$tmp/hidden.sock
	mkdir "$tmp/hidden-store"
	# shellcheck disable=SC2016 # of the inner shell
	act unshare --mount sh -c 'mount -t proc -o hidepid=2 proc /proc && exec "$@"' sh rspd --foreground \
		--config "$tmp/rspd.conf" --store "$tmp/hidden-store" --socket "$hidden_socket"
	RSP_SOCKET=$hidden_socket
	if ! await 20 rspctl status >/dev/null 2>&1; then
		skip "with hidepid" "cannot mount a private /proc: $(tail -n 1 "$tmp/views.log")"
	else
		act as_user $nobody "$views/secret-hidden" close-later
		check "with hidepid: root sees the processes" await 30 root_knows secret-hidden own-plain
		check_view "with hidepid" snapshot_of_nobody own-plain other-
	fi
	RSP_SOCKET=$tmp/rspd.sock
}

attack_views() {
	mkdir "$views"
	: >"$tmp/views.log"
	for name in own-plain other-plain secret-root own-lent secret-login own-login secret-thread secret-closed secret-later \
		secret-ended own-first secret-first secret-next own-next own-userns other-userns secret-box secret-subuid \
		secret-hidden; do
		copy "$name"
	done
	copy secret-setuid 4755
	copy secret-lent 4755
	act_programs
	known=$seen_programs expected="own-plain own-lent own-login"
	if act_pids; then
		known="$known secret-next own-next" expected="$expected own-next"
	else
		skip "pids of others" "no process got the PID of an earlier one"
	fi
	if act_namespaces; then
		known="$known own-userns other-userns secret-box secret-subuid" expected="$expected own-userns"
	else
		skip "user namespaces" "$(tail -n 1 "$tmp/views.log")"
	fi
	check "views: root sees all processes" await 30 root_knows $known
	check_view "a user's view" snapshot_of_nobody "$expected" other-
	check_view "root of a user namespace" snapshot_of_false_root own-plain other-
	check "root of a user namespace: no process of root" await 20 is_denied_false_root
	check_view "a connection that is passed on" snapshot_of_receiver own-plain other-
	check_view "a connection of another user" snapshot_of_opener other-plain own-
	with_hidden_pids
	for pid in $view_pids; do
		kill -KILL "$pid" && wait "$pid"
	done 2>/dev/null
}
