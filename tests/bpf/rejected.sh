# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests a kernel without a field that a program reads: rspd gets a copy of the kernel's types in which the field has
# another name. Only the abilities that need it may be lost.

types=/sys/kernel/btf/vmlinux

# without FIELD: writes the kernel's types to $tmp/types, with FIELD renamed.
without() {
	"$build/tests/tools/hide-field" "$1" <"$types" >"$tmp/types"
}

lost_abilities() {
	"$build/rspd" --check --btf="$tmp/types" >"$tmp/check" 2>"$tmp/check.err" || {
		cat "$tmp/check.err"
		return 1
	}
	awk -F '"' '/"name"/ { name = $4 } /"ok": *false/ { printf "%s%s", sep, name; sep = " " }' "$tmp/check"
}

# costs FIELD ABILITIES: checks that rspd loses exactly these abilities if the kernel has no FIELD.
costs() {
	without "$1" || return 1
	costs_lost=$(lost_abilities) || { echo "$costs_lost"; return 1; }
	[ "$costs_lost" = "$2" ] || { echo "lost: $costs_lost; expected: $2"; return 1; }
	grep -q "no field '[^']*\.$1[^']*'" "$tmp/check" || { cat "$tmp/check"; return 1; }
}

# costs_nothing FIELD: checks that rspd keeps all abilities if the kernel has no FIELD.
costs_nothing() {
	without "$1" || return 1
	costs_lost=$(lost_abilities) || { echo "$costs_lost"; return 1; }
	[ -z "$costs_lost" ] || { echo "lost: $costs_lost"; return 1; }
}

cp "$types" "$tmp/types"
if [ -n "$(lost_abilities)" ]; then
	skip "fields that a kernel lacks" "this kernel lacks abilities: $(lost_abilities)"
else
	check "no system calls without a thread's saved number" costs orig_ax "syscalls stacks calls mmap-brk"
	check "no files without a process's files" costs fdt files
	check "no user stacks without a process's count of pages" costs exec_vm stacks
	check "no cgroups without a hierarchy" costs dfl_cgrp "limits tasks census"
	check "no disk requests without their sector" costs __sector "block disk-files"
	check "no messages over unix sockets without their list by name" costs skc_bind_node unix
	check "all abilities without clocks of run queues" costs_nothing clock_task
fi

"$build/tests/tools/hide-field" on_rq exec_vm __sector throttled <"$types" >"$tmp/types"
"$build/rspd" --foreground --budget=off --btf="$tmp/types" --socket "$tmp/lacking.sock" \
	>"$tmp/lacking.log" 2>&1 &
lacking=$!

answers() {
	"$rspctl" --socket "$tmp/lacking.sock" status >"$tmp/lacking.status" 2>&1
}

# names_lost: checks that the log and `rspctl status` name each lost ability and its missing field.
names_lost() {
	for lost in stacks:exec_vm quotas:throttled block:__sector census:on_rq; do
		for place in lacking.log lacking.status; do
			grep "${lost%:*}.*${lost#*:}" "$tmp/$place" >/dev/null ||
				{ cat "$tmp/$place"; echo "$place does not contain $lost"; return 1; }
		done
	done
}

if check "a recorder that lacks four abilities starts" await 30 answers; then
	check "the log and the status contain each of them and the field" names_lost
	export RSP_SOCKET="$tmp/lacking.sock"
	check "pass is explained without these abilities" try recorded lacking \
		"$here/pass-check $tmp/lacking $tmp/lacking.err" "$programs/pass"
	unset RSP_SOCKET
fi
kill "$lacking" && wait "$lacking" 2>/dev/null
