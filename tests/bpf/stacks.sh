# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2034,SC2154 # variables of tests/bpf/run and of an inner sh
#
# Tests user stacks whose callers are hard to find. The program is recorded again until the recorder has read the
# unwind tables of all its binaries. From then on, no stack may end early.

depths=$programs/depths
export RSP_SOCKET="$tmp/stacks.sock"

# stacks_of COMMAND…: runs a command. Writes its output to $tmp/facts and its stacks to $tmp/stacks.
stacks_of() {
	"$@" >"$tmp/facts" || return 1
	pid=$(sed -n 's/^pid //p' "$tmp/facts")
	"$rspctl" snapshot --pid "$pid" --last 20s -o "$tmp/stacks.rsp" >/dev/null 2>"$tmp/stacks.err" ||
		[ $? -eq 3 ] || { cat "$tmp/stacks.err" && return 1; }
	rm -f "/tmp/perf-$pid.map"
	"$build/tests/tools/user-stacks" "$tmp/stacks.rsp" >"$tmp/stacks"
}

# has_stacks [--partial] TASK LEAST "NAME…" COMMAND…: records a command until stacks-check accepts its stacks, at most
# five times.
has_stacks() {
	has_partial=
	[ "$1" != --partial ] || { has_partial=$1 && shift; }
	has_task=$1 has_least=$2 has_names=$3
	shift 3
	for has_attempt in 1 2 3 4 5; do
		stacks_of "$@" || return 1
		# shellcheck disable=SC2086 # names
		"$here/stacks-check" $has_partial "$tmp/stacks" "$tmp/facts" "$has_task" "$has_least" $has_names \
			>"$tmp/stacks-check.out" && return 0
	done
	cat "$tmp/stacks-check.out"
	return 1
}

# has_ends LEAST COMMAND…: checks that at least LEAST stacks are complete, and at most two are not. For programs whose
# functions may have no names.
has_ends() {
	has_least=$1
	shift
	for has_attempt in 1 2 3 4 5; do
		stacks_of "$@" || return 1
		awk -v least="$has_least" 'NR == FNR { if ($1 == "task") task[$2]; next }
			$1 in task { if ($3 == "complete") good++; else bad++ }
			END { print good + 0 " complete, " bad + 0 " not"; exit good < least || bad > 2 }' \
			"$tmp/facts" "$tmp/stacks" >"$tmp/stacks-check.out" && return 0
	done
	cat "$tmp/stacks-check.out"
	return 1
}

# stacks NAME "FUNCTION…" COMMAND…: checks that stacks contain these functions in order, and reach the beginning of
# their threads.
stacks() {
	stacks_name=$1 stacks_names=$2
	shift 2
	check "stacks of $stacks_name reach its beginning" has_stacks task 50 "$stacks_names" "$@"
}

# copied FILE ARG…: copies the program to FILE and runs the copy. To the recorder, each copy is a new binary.
copied() {
	copied_to=$1
	shift
	cp "$depths" "$copied_to" && "$copied_to" "$@"
}

compiled() {
	compiled_to=$tmp/$1
	shift
	"$@" -D_GNU_SOURCE -O2 -I. -o "$compiled_to" tests/programs/depths.c -lpthread >"$tmp/cc.log" 2>&1 || {
		cat "$tmp/cc.log"
		return 1
	}
}

can_link() {
	echo 'int main(void) { return 0; }' | "$@" -o "$tmp/linked" -x c - -lpthread >"$tmp/cc.log" 2>&1
}

"$build/rspd" --foreground --budget=off --socket "$RSP_SOCKET" >"$tmp/stacks.log" 2>&1 &
server=$!
if ! check "a recorder for stacks starts" await 20 "$rspctl" status; then
	return
fi
stacks "a program" "innermost middle outer main" "$depths" plain
stacks "a signal's handler" "innermost handler raise raise_signal middle outer main" "$depths" signal
stacks "a handler with a separate stack" "innermost handler raise raise_signal middle outer main" \
	"$depths" altstack
check "stacks of a handler contain the interrupted functions" \
	has_stacks pid 50 "tick await_ticks middle outer main" "$depths" timer
stacks "a thread" "innermost middle outer run_thread" "$depths" thread
stacks "a child" "innermost in_child middle outer main" "$depths" fork
stacks "a child on its parent's stack" "innermost in_vfork_child middle outer main" "$depths" vfork
check "stacks of a parent whose stack a child uses reach its beginning" \
	has_stacks pid 1 "vfork in_vfork_child middle outer main" "$depths" vfork
stacks "code made at run time" "innermost made_at_run_time in_jit middle outer main" "$depths" jit
stacks "a program without a file's name" "innermost middle outer main" "$depths" memfd
# The program may have removed its file before the recorder reads names from it.
check "stacks of a program that removed its file reach its beginning" \
	has_ends 50 copied "$tmp/removed" deleted

for how in "static:cc -static" "static-pie:cc -static-pie" "no-pie:cc -no-pie"; do
	name=${how%%:*} compiler=${how#*:}
	# shellcheck disable=SC2086 # words of a command
	if ! can_link $compiler; then
		skip "stacks of a program linked $name" "$(tail -n 1 "$tmp/cc.log")"
		continue
	fi
	check "depths can be linked $name" compiled "$name" $compiler || continue
	stacks "a program linked $name" "innermost middle outer main" "$tmp/$name" plain
	stacks "a handler in one linked $name" "innermost handler raise_signal middle outer main" \
		"$tmp/$name" signal
done

# library NAME BYTES CODE_BYTES: makes a library. Its function NAME has a stack frame of BYTES bytes; CODE_BYTES of
# other code follow.
library() {
	cc -O2 -shared -fPIC -o "$tmp/$1.so" -x c - <<-EOT
		static volatile int calls;
		void $1(void (*call)(void)) { volatile char frame[$2]; frame[0] = 1; call(); calls++; }
		__asm__(".fill $3, 1, 0x90");
	EOT
}
reload() {
	"$programs/reload" "$tmp/in_a.so" in_a 50 "$tmp/in_b.so" in_b 1500 "$tmp/in_c.so" in_c 100
}
if check "libraries are made" eval "library in_a 64 0 && library in_b 2048 0 && library in_c 300 20000"; then
	# The recorder compares only the number of pages of code. So for up to a second, it takes the new library for
	# the previous one.
	check "stacks in a library at the address of another one of equal size are right after a second" \
		has_stacks task 300 "in_b use main" reload
	check "stacks in a library at the address of a smaller one are right" \
		has_stacks task 100 "in_c use main" reload
fi

# Debian's musl has neither unwind information nor frame pointers. Stacks end in its functions, and must be marked as
# incomplete.
for how in musl:musl-gcc "musl-static:musl-gcc -static"; do
	name=${how%%:*} compiler=${how#*:}
	# shellcheck disable=SC2086 # words of a command
	if ! can_link $compiler; then
		skip "stacks of a program linked $name" "$(tail -n 1 "$tmp/cc.log")"
	elif check "depths can be linked $name" compiled "$name" $compiler; then
		check "stacks of a program linked $name reach its C library" \
			has_stacks --partial task 3 "innermost middle outer main" "$tmp/$name" plain
	fi
done

# The stacks differ only in a return address. The recorder unwinds few of them and reuses the results.
takes_its_paths() {
	for paths_attempt in 1 2 3 4 5; do
		"$rspctl" status --json >"$tmp/paths.before" || return 1
		stacks_of "$programs/paths" || return 1
		"$rspctl" status --json >"$tmp/paths.after" || return 1
		"$here/paths-check" "$tmp/stacks" "$tmp/facts" >"$tmp/paths-check.out" 2>&1 && return 0
	done
	cat "$tmp/paths-check.out"
	return 1
}
# At least nine of ten user stacks must be reused ("repeated"), and as many kernel stacks must be walked by the BPF
# programs ("walked") instead of unwound by the kernel.
reuses_stacks() {
	python3 - "$tmp/paths.before" "$tmp/paths.after" <<-'EOT'
		import json, sys
		before, after = (json.load(open(name))["stacks"] for name in sys.argv[1:])
		for key in "repeated", "walked":
		    cnt = after[key] - before[key]
		    if cnt < 3600:
		        sys.exit("%s: %d stacks" % (key, cnt))
	EOT
}
if check "stacks that differ in one return address are distinguished" takes_its_paths; then
	check "known stacks are not unwound again" reuses_stacks
fi

# Only the mount namespace of this program contains the file.
in_other_place() {
	unshare -m sh -c 'mount -t tmpfs none "$2" && cp "$1" "$2/depths" && "$2/depths" plain' \
		sh "$depths" "$tmp/place"
}
mkdir "$tmp/place"
if unshare -m mount -t tmpfs none "$tmp/place" 2>/dev/null; then
	check "stacks of a program in a mount namespace reach its beginning" \
		has_ends 50 in_other_place
else
	skip "stacks of a program in a mount namespace" "unshare is not permitted"
fi

kill "$server" && wait "$server" 2>/dev/null
server=
unset RSP_SOCKET
