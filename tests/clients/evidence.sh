# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# The recorder logs the user who deletes a snapshot.

RSP_STORE=$tmp/evidence # a store that contains only this test's snapshots
begin_rspd
"$rspctl" snapshot --pid $$ >"$tmp/out" 2>"$tmp/err"
evidence_id=$(basename "$RSP_STORE"/*.rsp .rsp)
check "evidence: a snapshot is deleted" test "$(ask Delete "{\"id\":\"$evidence_id\"}")" = '{"parameters":{}}'
evidence_line="rspd: user 0 deleted snapshot $(echo "$evidence_id" | cut -c 1-12)"
check "evidence: the deletion is logged with the user" sh -c 'cat "$2"; grep -qxF "$1" "$2"' - "$evidence_line" "$tmp/rspd.err"
end_well "evidence"
