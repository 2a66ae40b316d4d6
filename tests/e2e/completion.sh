# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# What shells offer after a word of a command line, with a store of one snapshot.

mkdir "$tmp/offered"
cp tests/golden/pass.rsp "$tmp/offered/08df47fd0bb449de1ddfb1b7ad4481d1.rsp"

# offers EXPECTED WORD…: the shell offers just that for the last word.
offers() {
	expected=$1
	shift
	offered=$(PATH=$tmp/bin:$PATH RSP_STORE=$tmp/offered "$shell" "$shell_options" \
		"tests/e2e/complete.$shell" "$@" | sort | tr '\n' ' ')
	[ "$offered" = "$expected " ] || {
		echo "offered: $offered"
		return 1
	}
}

offered_by() {
	shell=$1 shell_options=$2
	command -v "$shell" >/dev/null || {
		skip "completion for $shell" "there is no $shell"
		return
	}
	check "$shell completes verbs" offers "delete doctor" rspctl d
	check "$shell completes options" offers "--debug-dir=" rspctl symbolize --debug
	check "$shell completes views" offers "table" rspctl report --view ta
	check "$shell completes snapshots" offers 08df47fd0bb449de1ddfb1b7ad4481d1 rspctl explain 08
}

offered_by bash --norc
check "bash completes values behind =" offers "table" rspctl report --view = ta
offered_by zsh -f
check "zsh completes values behind =" offers "table" rspctl report --view=ta
