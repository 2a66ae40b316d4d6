# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/fleet/run
#
# Tests rsp-export and a clickhouse-server with a connection that fails.

if command -v clickhouse-server >/dev/null; then
	"$here/faults" "$build" || fail "rsp-export: faults" "the test ended with status $?"
else
	skip "rsp-export: faults" "needs clickhouse-server"
fi
