# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# What any user can make in masses must not hide what others do.

if check "a flood of renames is recorded" record renames "$programs/rename-flood"; then
	"$build/tests/tools/records" "$tmp/renames.rsp" >"$tmp/renames.records"
	check "a flood of renames hides no births, deaths and last names" \
		"$here/lives-check" "$tmp/renames.records" "$tmp/renames.err"
fi
