# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Flame graphs are written completely to the right file, or not at all. tests/golden and tests/web test their content.

is_svg() {
	head -n 1 "$1" | grep -q '^<?xml ' && tail -n 1 "$1" | grep -q '^</svg>$'
}

mkdir "$tmp/flames"
cp tests/golden/pass.rsp "$tmp/flames/abc.rsp"
reports "flame: the newest snapshot, as folded stacks" '^[^ ]* [0-9]*$' flame --store "$tmp/flames"
reports "flame: a snapshot of the store" '^[^ ]*;[^ ]* [0-9]*$' flame abc --store "$tmp/flames" --kind=hotcold
reports "flame: a picture" '^</svg>$' flame tests/golden/pass.rsp --format=svg
check "flame: the name of the file chooses a picture" "$rspctl" flame tests/golden/pass.rsp -o "$tmp/flame.svg"
check "flame: the file is a picture" is_svg "$tmp/flame.svg"
check "flame: the format wins over the name" "$rspctl" flame tests/golden/pass.rsp --format=folded -o "$tmp/not.svg"
check "flame: the file is not a picture" sh -c "! grep -q '<' '$tmp/not.svg'"
check "flame: the same output a second time" \
	sh -c "'$rspctl' flame tests/golden/pass.rsp --format=svg | cmp - '$tmp/flame.svg'"
reports "flame of a process" '^[^ ;]*;' flame tests/golden/pass.rsp --comm pass --kind=hotcold
check "flame: no other process" sh -c "! grep -v '^pass[; ]' '$tmp/out'"
reports "flame by thread" '^pass;pass_\[[0-9]*\]' flame tests/golden/pass.rsp --comm pass --kind=hotcold --per-thread
check "flame: a file without stacks" sh -c "'$rspctl' flame tests/golden/pass.rsp --kind=disk -o '$tmp/empty.folded' 2>&1 |
	grep -q 'Nothing waited for a disk'"
check "flame: the file exists" test -e "$tmp/empty.folded"
refuses "flame of an unknown kind" 2 "'pie' is not a kind of .*(oncpu, offcpu, hotcold, wakeup, chain, runqueue, disk, network, malloc, leaks, faults, mmap, brk)" \
	flame tests/golden/pass.rsp --kind=pie
refuses "flame in an unknown format" 2 "'png' is not a format of flame graphs (folded, svg)" \
	flame tests/golden/pass.rsp --format=png
refuses "flame in unknown colors" 2 "is not a way to choose colors (kind, name)" flame x --colors=red
for width in -1 x '' 1x nan; do
	refuses "flame of width '$width'" 2 "is not a width in pixels" flame x --min-width="$width"
done
refuses "flame of an unknown process" 1 "process 99999 does not occur in" flame tests/golden/pass.rsp --pid 99999
refuses "flame of an unknown name" 1 "no process called 'nobody' occurs in" flame tests/golden/pass.rsp --comm nobody
refuses "flame of another span of a saved snapshot" 2 "has its span" flame tests/golden/pass.rsp --last 1s
refuses "flame of a file that is not a snapshot" 1 "is not a snapshot" flame /bin/sh -o "$tmp/none.svg"
refuses "flame to a missing directory" 1 "cannot save the flame graph as .*No such file" \
	flame tests/golden/pass.rsp -o "$tmp/missing/x.svg"
check "a failed flame leaves no file" sh -c "! ls '$tmp'/none.svg '$tmp'/missing 2>/dev/null"
"$rspctl" flame tests/golden/pass.rsp --format=svg >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
judge "flame to a full disk" 1 "No space left on device"
head -c 2000 tests/golden/pass.rsp >"$tmp/short.rsp"
"$rspctl" flame "$tmp/short.rsp" --format=svg >"$tmp/short.svg" 2>/dev/null
check "flame of a truncated snapshot: exit status 3" test $? -eq 3
check "flame of a truncated snapshot: the picture contains a warning" grep -q 'damaged or cut off' "$tmp/short.svg"
check "flame of a truncated snapshot: the file is a picture" is_svg "$tmp/short.svg"
