# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Access of root, a member of the group, and a plain user to snapshots.

useradd --system --user-group --no-create-home --groups rsp member
useradd --system --user-group --no-create-home nobody-special

as() {
	user=$1
	shift
	setpriv --reuid "$user" --regid "$user" --init-groups "$@"
}

# start_as USER: sets $started to the PID of a process of USER that runs forever.
start_as() {
	as "$1" sh -c 'echo $$; while :; do sleep 0.02; done' >"process-of-$1" &
	await 10 test -s "process-of-$1"
	read -r started <"process-of-$1"
}
start_as member
members=$started
start_as nobody-special
own=$started

# asks USER EXPECTED_STATUS PID: if USER gets a snapshot of PID, rspctl must be able to explain it.
asks() {
	file=/tmp/asked-by-$1.rsp
	rm -f "$file"
	as "$1" rspctl snapshot --pid "$3" --last 2s -o "$file"
	status=$?
	[ $status -eq "$2" ] || return 1
	[ $status -ne 0 ] || as "$1" rspctl report "$file" --view table
}

check "root gets snapshots of all users' processes" asks root 0 "$own"
check "a member of the group gets snapshots of all users' processes" asks member 0 "$own"
check "a plain user gets a snapshot of an own process" asks nobody-special 0 "$own"
check "a plain user gets no snapshot of another user's process" asks nobody-special 4 "$members"
check "a plain user gets no snapshot of root's process" asks nobody-special 4 1

stored_for_group() {
	as member rspctl snapshot --pid "$own" --last 2s || return 1
	for file in /var/lib/rsp/snapshots/*.rsp; do
		[ "$(stat -c '%a %U:%G' "$file")" = "640 rsp:rsp" ] || {
			stat -c '%n: %a %U:%G' "$file"
			return 1
		}
	done
	as member rspctl explain
}
check "a stored snapshot belongs to the recorder, and the group may read it" stored_for_group
others_list() {
	as nobody-special rspctl list
	[ $? -eq 4 ]
}
check "a plain user cannot list the store" others_list
