# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Who may see what: root, a member of the group, somebody else.

useradd --system --user-group --no-create-home --groups rsp member
useradd --system --user-group --no-create-home nobody-special

as() {
	user=$1
	shift
	setpriv --reuid "$user" --regid "$user" --init-groups "$@"
}

# A process that is always seen to run; prints its pid.
start_as() {
	as "$1" sh -c 'echo $$; while :; do sleep 0.02; done' >"process-of-$1" &
	await 10 test -s "process-of-$1"
	read -r started <"process-of-$1"
}
start_as member
members=$started
start_as nobody-special
own=$started

# asks WHO EXPECTED_STATUS PID: a snapshot, if it is to be had, is a file that can be explained.
asks() {
	file=/tmp/asked-by-$1.rsp
	rm -f "$file"
	as "$1" rspctl snapshot --pid "$3" --last 2s -o "$file"
	status=$?
	[ $status -eq "$2" ] || return 1
	[ $status -ne 0 ] || as "$1" rspctl report "$file" --view table
}

check "root asks for anybody's" asks root 0 "$own"
check "a member of the group asks for anybody's" asks member 0 "$own"
check "others ask for their own" asks nobody-special 0 "$own"
check "others do not get what is not theirs" asks nobody-special 4 "$members"
check "others do not get root's" asks nobody-special 4 1

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
check "a stored snapshot is the recorder's and for the group" stored_for_group
others_list() {
	as nobody-special rspctl list
	[ $? -eq 4 ]
}
check "others do not see what is stored" others_list
