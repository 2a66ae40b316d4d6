# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016 # variables of tests/e2e/run; an inner sh
#
# The pager of reports, on a terminal that python makes. It needs no recorder.

# on_terminal VARIABLE=VALUE… -- WORD…: runs a command on a terminal. $tmp/seen contains what the terminal got.
on_terminal() {
	python3 -c 'import os, pty, sys
i = sys.argv.index("--")
for name in ("RSP_PAGER", "PAGER", "LESS", "NO_COLOR"):
    os.environ.pop(name, None)
os.environ["TERM"] = "xterm"
os.environ.update(v.split("=", 1) for v in sys.argv[1:i])
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[i + 1:])))' "$@" >"$tmp/seen" </dev/null
}
paged() {
	on_terminal "RSP_PAGER=sed s/^/PAGED:/" -- "$rspctl" "$@" && grep -q "^PAGED:" "$tmp/seen"
}
not_paged() {
	on_terminal "$@" && [ -s "$tmp/seen" ] && ! grep -q "PAGED:" "$tmp/seen"
}
recording=tests/golden/pass.rsp
check "the pager shows a report" paged report "$recording"
check "the pager shows utilization" paged util "$recording"
check "the pager shows requests" paged requests tests/golden/tcp.rsp
check "the pager shows a comparison" paged diff "$recording" "$recording"
check "the pager shows a call graph" paged callgraph "$recording"
check "\$PAGER is the second choice" on_terminal "PAGER=grep -q ." -- "$rspctl" report "$recording"
check "--no-pager" not_paged "RSP_PAGER=sed s/^/PAGED:/" -- "$rspctl" report --no-pager "$recording"
check "no pager for JSON" not_paged "RSP_PAGER=sed s/^/PAGED:/" -- "$rspctl" report --json "$recording"
check "no pager without a terminal" sh -c '! RSP_PAGER="sed s/^/PAGED:/" "$1" report "$2" | grep -q PAGED:' sh "$rspctl" "$recording"
check "no pager: RSP_PAGER is empty" not_paged RSP_PAGER= "PAGER=sed s/^/PAGED:/" -- "$rspctl" report "$recording"
check "no pager: the terminal is dumb" not_paged TERM=dumb "PAGER=sed s/^/PAGED:/" -- "$rspctl" report "$recording"
colours_a_report() {
	on_terminal RSP_PAGER="sed -n l" -- "$rspctl" report "$recording" && grep -q '\\033\[' "$tmp/seen"
}
check "the pager gets colors" colours_a_report
leaves_early() {
	on_terminal "RSP_PAGER=true" -- "$rspctl" report --view chains -n 1000 "$recording"
}
check "quitting the pager is not an error" leaves_early
fails_to_page() {
	! on_terminal "RSP_PAGER=no-such-pager-here" -- "$rspctl" report "$recording" && grep -q "the pager failed" "$tmp/seen"
}
check "a missing pager" fails_to_page
refuses_terminal() {
	! on_terminal RSP_PAGER= -- "$rspctl" flame "$recording" && grep -q "name a file with -o" "$tmp/seen" && ! grep -q ";" "$tmp/seen"
}
check "no folded stacks on a terminal, unless they are asked for" refuses_terminal
check "folded stacks on a terminal" on_terminal RSP_PAGER= -- "$rspctl" flame "$recording" --format=folded
if command -v less >/dev/null; then
	fits_on_screen() {
		on_terminal LINES=200 COLUMNS=200 -- timeout 20 "$rspctl" report "$recording" --view table && grep -q . "$tmp/seen"
	}
	check "less ends by itself if the text fits on the screen" fits_on_screen
fi
