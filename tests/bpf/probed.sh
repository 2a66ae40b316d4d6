# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # variables of tests/bpf/run and functions of stacks.sh
#
# Tests user stacks through functions whose return addresses the kernel has replaced, because an SLO probes them.

probed_slo() {
	printf '[SLO "%s"]\nMeasure=function\nFunction=%s:%s\nThreshold=1h\n' "$2" "$(realpath "$programs/$1")" "$2"
}
{
	for function in innermost descend middle outer main handler; do
		probed_slo depths "$function"
	done
	probed_slo paths rest
} >"$tmp/probed.conf"

all_are_probed() {
	"$rspctl" slo list --json >"$tmp/probed.slos" && ! grep -q '"measured": *false' "$tmp/probed.slos"
}

export RSP_SOCKET="$tmp/probed.sock"
"$build/rspd" --foreground --budget=off --socket "$RSP_SOCKET" --config "$tmp/probed.conf" >"$tmp/probed.log" 2>&1 &
server=$!
if check "probes are attached at the returns of functions" await 20 all_are_probed; then
	stacks "a probed function" "innermost middle outer main" "$depths" plain
	stacks "a probed function that calls itself" \
		"innermost descend descend descend descend descend middle outer main" "$depths" recursive
	stacks "a probed handler" "innermost handler raise raise_signal middle outer main" "$depths" signal
	stacks "a probed handler with a separate stack" "innermost handler raise raise_signal middle outer main" \
		"$depths" altstack
	stacks "a thread with a probed function" "innermost middle outer run_thread" "$depths" thread
	stacks "a child that inherits probed calls" "innermost in_child middle outer main" "$depths" fork
	stacks "a child with probed calls on its parent's stack" "innermost in_vfork_child middle outer main" \
		"$depths" vfork
	stacks "code made at run time within a probed function" "innermost made_at_run_time in_jit middle outer main" \
		"$depths" jit
	# The stacks of `paths` differ only in one return address.
	check "stacks through a probed function contain the right caller" takes_its_paths
fi
kill "$server" && wait "$server" 2>/dev/null
server=
unset RSP_SOCKET
