# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # rspctl, programs, build and tmp are the suite's
#
# Tests watches of memory. The program allocate uses known amounts.

# watch NAME KINDS COMMAND…: records to $tmp/NAME.rsp. Lost records of other programs (exit status 3) are no error.
watch() {
	watch_name=$1 watch_kinds=$2
	shift 2
	"$rspctl" run --memory="$watch_kinds" -o "$tmp/$watch_name.rsp" -- "$@" >/dev/null 2>"$tmp/watch.err" ||
		[ $? -eq 3 ] || { cat "$tmp/watch.err"; return 1; }
}
# sum FUNCTION: prints the weight of all stacks that contain FUNCTION.
sum() {
	awk -v f=";$1;" '{ at = ";" $1 ";" } index(at, f) { n += $NF } END { print n + 0 }' "$tmp/folded"
}
# sums NAME KIND FUNCTION=WEIGHT…: checks that the flame graph gives each function its weight.
sums() {
	sums_status=0
	"$rspctl" flame "$tmp/$1.rsp" --kind="$2" >"$tmp/folded" 2>"$tmp/folded.err" || [ $? -eq 3 ] || sums_status=1
	shift 2
	for pair; do
		[ "$(sum "${pair%=*}")" -eq "${pair#*=}" ] || { echo "${pair%=*}: $(sum "${pair%=*}"), expected ${pair#*=}"; sums_status=1; }
	done
	[ $sums_status -eq 0 ] || cat "$tmp/folded" "$tmp/folded.err"
	return $sums_status
}
# The kernel touches 200 pages when read() copies into them.
pages_are_exact() {
	watch pages faults,mmap,brk "$programs/allocate" pages || return 1
	sums pages mmap map_pages=$((1700 * 4096)) && sums pages brk grow_heap=123456 &&
		sums pages faults touch_pages=1500 &&
		awk '/;read_into;/ && /_\[k\]/ { n += $NF } END { exit n != 200 }' "$tmp/folded" ||
		{ grep read_into "$tmp/folded"; return 1; }
}
# heap_is_exact NAME COMMAND…: compares a command's graphs of malloc and leaks with known weights.
heap_is_exact() {
	heap_name=$1
	shift
	watch "$heap_name" malloc "$@" || return 1
	sums "$heap_name" malloc by_malloc=1000 by_calloc=700 by_realloc=25010 by_alignment=768 by_failure=50 in_thread=2222 &&
		sums "$heap_name" leaks by_malloc=300 by_calloc=700 by_realloc=20000 by_alignment=256 by_failure=50 in_thread=1111
}
# The program does not free its block of 64 bytes before exec discards it, so the block counts as a leak.
heap_survives_exec() {
	heap_is_exact forget "$programs/allocate" forget && grep -q 'main;malloc 64$' "$tmp/folded"
}
preloaded() (
	LD_PRELOAD=$1
	export LD_PRELOAD
	heap_is_exact jemalloc "$programs/allocate" heap
)
# valgrind also counts the bytes of failed calls. This is the size that by_failure() requests.
FAILED_BYTES=4611686018427387903
same_as_valgrind() {
	valgrind --log-file="$tmp/valgrind" "$programs/allocate" heap || return 1
	asked=$(sed -n 's/,//g; s/.*total heap usage: .* \([0-9]*\) bytes allocated/\1/p' "$tmp/valgrind")
	sums heap malloc || return 1
	[ "$(awk '{ n += $NF } END { print n }' "$tmp/folded")" -eq $((asked - FAILED_BYTES)) ] ||
		{ echo "valgrind: $asked"; cat "$tmp/folded"; return 1; }
}
says_what_is_not_watched() {
	sums pages leaks && grep -q 'was not watched in this recording: record with .rspctl run --memory=malloc' "$tmp/folded.err" ||
		{ cat "$tmp/folded.err"; return 1; }
}
# Each child waits until it has probes, so only its earlier calls are missing.
children_are_exact() {
	watch children malloc "$programs/allocate" children || return 1
	sums children malloc by_malloc=2000 by_realloc=50020 in_thread=4444 && sums children leaks by_malloc=600 by_realloc=40000
}
draws_at_once() {
	"$rspctl" flame --kind=malloc -o "$tmp/malloc.svg" -- "$programs/allocate" children 2>"$tmp/draw.err" || [ $? -eq 3 ] &&
		grep -q 'data-unit="bytes"' "$tmp/malloc.svg" && grep -q by_realloc "$tmp/malloc.svg" || { cat "$tmp/draw.err"; return 1; }
}
# The probes replace return addresses on the stack. Stacks of page faults must still contain the callers.
faults_have_callers() {
	watch both malloc,faults "$programs/allocate" heap || return 1
	"$rspctl" flame "$tmp/both.rsp" --kind=faults >"$tmp/folded" 2>"$tmp/folded.err" || [ $? -eq 3 ] || return 1
	awk '/;(malloc|realloc|posix_memalign)(;| )/ { all++; good += /;(by_[a-z]*|in_thread);/ }
		END { print good + 0 " of " all + 0 " stacks contain the caller"; exit all < 3 || good < all }' "$tmp/folded" ||
		{ cat "$tmp/folded"; return 1; }
}
# A stack is incomplete if the sample hits the moment at which the kernel replaces the return address. Runs of earlier
# tests must not be in the window, so this test uses its own recorder.
samples_have_callers() (
	unset RSP_SOCKET
	watch churn malloc "$programs/allocate" churn || exit 1
	"$build/tests/tools/user-stacks" "$tmp/churn.rsp" >"$tmp/stacks" && awk '
		$2 == "allocate" { all++; good += $3 == "complete" && / churn main / }
		END { print good + 0 " of " all + 0 " stacks contain the caller"; exit all < 100 || good < all * 0.9 }' "$tmp/stacks"
)
# With LD_PRELOAD, a running command maps the allocator. The probes come later, so calls are missing.
late_allocator_is_reported() {
	"$rspctl" flame --kind=malloc -- env LD_PRELOAD="$1" "$programs/allocate" heap >"$tmp/late" 2>"$tmp/late.err"
	grep -q 'after a process had mapped it\|could not be searched for an allocator' "$tmp/late.err" || { cat "$tmp/late" "$tmp/late.err"; return 1; }
}
stripped_program_is_reported() {
	strip -o "$tmp/stripped" "$programs/allocate-static" || return 1
	"$rspctl" flame --kind=malloc -- "$tmp/stripped" heap >"$tmp/none" 2>"$tmp/none.err"
	grep -q '1 static program without a function malloc()' "$tmp/none.err" || { cat "$tmp/none.err"; return 1; }
}

if watch true malloc,faults true 2>/dev/null; then
	check "page faults, mapped bytes and brk() equal those of the program" try pages_are_exact
	check "allocated and left bytes equal those of the program" try heap_is_exact heap "$programs/allocate" heap
	check "blocks of a replaced program are left" try heap_survives_exec
	check "blocks of a static program are known" try heap_is_exact static "$programs/allocate-static" heap
	check "page faults in a watched allocator show its callers" try faults_have_callers
	check "samples in a watched allocator show its callers" try samples_have_callers
	check "a recording without malloc says how to record it" try says_what_is_not_watched
	check "a graph of a command contains its children" try draws_at_once
	check "blocks of children are known" try children_are_exact
	if command -v strip >/dev/null; then
		check "a static program without symbols is reported" try stripped_program_is_reported
	else
		skip "a static program without symbols" "there is no strip"
	fi
	jemalloc=$(find /usr/lib -name libjemalloc.so.2 2>/dev/null | head -n 1)
	if [ "$jemalloc" ]; then
		check "blocks of a preloaded jemalloc are known" try preloaded "$jemalloc"
		check "an allocator that is mapped late is reported" try late_allocator_is_reported "$jemalloc"
	else
		skip "blocks of a preloaded jemalloc" "there is no libjemalloc.so.2"
	fi
	if command -v valgrind >/dev/null; then
		check "allocated bytes equal those that valgrind counts" try same_as_valgrind
	else
		skip "allocated bytes as valgrind counts them" "there is no valgrind"
	fi
else
	skip "watches of memory" "$(head -n 1 "$tmp/watch.err")"
fi

# probe_cnt PID: prints how many file descriptors of probes the recorder's children hold.
probe_cnt() {
	pgrep -P "$1" | while read -r child; do
		grep -l 'link_type:[[:space:]]*\(uprobe_multi\|perf\)' "/proc/$child/fdinfo/"* 2>/dev/null
	done | wc -l
}
has_probes() {
	[ "$(probe_cnt "$1")" -gt 1 ] # one link for returns, one for entries
}
has_no_probes() {
	[ "$(probe_cnt "$1")" -eq 0 ]
}
# If the client is killed, the recorder detaches the probes and programs.
watches_on_demand() {
	sleep 600 &
	watched=$!
	"$rspctl" --socket "$tmp/watching.sock" flame --kind=malloc --pid "$watched" --for 60s >"$tmp/watching.out" 2>&1 &
	client=$!
	await 20 has_probes "$watching" || { cat "$tmp/watching.out"; kill "$watched"; echo "no probes"; return 1; }
	"$programs/allocate" unprobed || { kill "$client" "$watched"; echo "a process that is not watched has probes"; return 1; }
	kill -9 "$client"
	wait "$client" 2>/dev/null
	kill "$watched"
	await 20 has_no_probes "$watching" || { echo "probes stay"; return 1; }
	await 20 has_no_call_links "$watching"
}
has_ended() {
	! grep -q '^State:	[^Z]' "/proc/$1/status" 2>/dev/null
}
probes_end_with_recorder() {
	sleep 600 &
	watched=$!
	"$rspctl" --socket "$tmp/watching.sock" flame --kind=malloc --pid "$watched" --for 60s >"$tmp/watching.out" 2>&1 &
	client=$!
	await 20 has_probes "$watching" || { cat "$tmp/watching.out"; kill "$watched"; return 1; }
	probing=$(pgrep -P "$watching" -f rspd)
	kill -9 "$watching"
	for child in $probing; do
		await 20 sh -c "! kill -0 $child 2>/dev/null" || { kill "$watched"; echo "process $child is left"; return 1; }
	done
	await 20 has_ended "$client" || { kill "$client" "$watched"; echo "rspctl waits for a recorder that has ended"; return 1; }
	kill "$watched"
	grep -q "nothing was recorded" "$tmp/watching.out" || { cat "$tmp/watching.out"; return 1; }
}
"$build/rspd" --foreground --budget=off --socket "$tmp/watching.sock" 2>"$tmp/watching.log" &
watching=$!
if check "a recorder for watches starts" await 20 "$rspctl" --socket "$tmp/watching.sock" status; then
	check "probes of allocators are attached on demand" watches_on_demand
	check "probes end with the recorder" probes_end_with_recorder
fi
kill "$watching" 2>/dev/null
wait "$watching" 2>/dev/null
