# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Pages are written completely to the right file, or not at all.

holds_page() {
	head -c 15 "$1" | grep -q '<!DOCTYPE html>' && tail -c 20 "$1" | grep -q '</html>' &&
		! grep -qF '<!-- recording -->' "$1"
}

check "html" "$rspctl" html tests/golden/pass.rsp -o "$tmp/pass.html"
check "html: the file is a page" holds_page "$tmp/pass.html"
check "html: the same output a second time" sh -c "'$rspctl' html tests/golden/pass.rsp | cmp - '$tmp/pass.html'"
check "html of another process" "$rspctl" html tests/golden/pass.rsp --pid 1 -o "$tmp/init.html"
check "html of another process: the page differs" sh -c "! cmp -s '$tmp/init.html' '$tmp/pass.html'"
{
	printf '%s\n' '0 window 0 10 0 end=40' '0 target 10' '0 alive 10 a' '0 run 10' '6 mark text shown_mark'
	seq -f '40 mark text after%g' 2001
	echo '30 block 10'
} >"$tmp/many-marks.story"
check "html: a story with many marks after the span" \
	"$build/tests/story/story" "$tmp/many-marks.story" "$tmp/many-marks.rsp"
marks_in_page() {
	node --input-type=module -e '
		import { readFileSync } from "node:fs";
		import { openRecording } from "./web/data/recording.js";

		const [, data] = /<script id="recording"[^>]*>([^<]*)<\/script>/.exec(readFileSync(0, "utf8"));

		for (const mark of (await openRecording(data)).marks)
			console.log(mark.text);
	'
}
if command -v node >/dev/null; then
	"$rspctl" html "$tmp/many-marks.rsp" | marks_in_page >"$tmp/out" 2>"$tmp/err"
	check "html: marks after the span do not displace the mark in the span" grep -qx ".*shown_mark.*" "$tmp/out"
	check "html: marks after the span are not in the page" sh -c "! grep -q after '$tmp/out'"
else
	skip "html: marks after the span do not displace the mark in the span" "there is no node"
fi
refuses "html of an unknown process" 1 "process 99999 does not occur in" \
	html tests/golden/pass.rsp --pid 99999 -o "$tmp/none.html"
refuses "html without a snapshot" 1 "no snapshots in .*take one" html --store "$tmp/empty"
refuses "html of a file that is not a snapshot" 1 "is not a snapshot" html /bin/sh -o "$tmp/none.html"
refuses "html to a missing directory" 1 "cannot save the page as .*No such file" \
	html tests/golden/pass.rsp -o "$tmp/missing/x.html"
check "a failed html leaves no file" sh -c "! ls '$tmp'/none.html '$tmp'/missing 2>/dev/null"
refuses "html takes no view" 2 "'html' does not take --view" html x --view table
refuses "page and snapshot in one file" 2 "name the same file" run --html=x -o x -- true
refuses "page without a name" 2 "needs the name of a file" run --html= -- true

"$rspctl" html tests/golden/pass.rsp 2>"$tmp/err" | head -c 1 >"$tmp/out"
check "html into a closed pipe prints no message" cmp "$tmp/err" /dev/null
check "html to a device" "$rspctl" html tests/golden/pass.rsp -o /dev/null
check "html to a device: the device is not replaced" test -c /dev/null
refuses "html to a directory" 1 "cannot save the page as .*Is a directory" \
	html tests/golden/pass.rsp -o "$tmp"

"$rspctl" html tests/golden/pass.rsp >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
judge "html to a full disk" 1 "No space left on device"

head -c 2000 tests/golden/pass.rsp >"$tmp/short.rsp"
"$rspctl" html "$tmp/short.rsp" -o "$tmp/short.html" >"$tmp/out" 2>"$tmp/err"
status=$?
judge "html of a truncated snapshot" 3 "is truncated"
check "html of a truncated snapshot: the file is a page" holds_page "$tmp/short.html"
