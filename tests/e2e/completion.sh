# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of completions in shells, with a store of one snapshot.

mkdir "$tmp/offered"
cp tests/golden/pass.rsp "$tmp/offered/08df47fd0bb449de1ddfb1b7ad4481d1.rsp"

# A cache of zsh, which otherwise takes half a second to find all its functions for completion.
export functions_of_zsh="$tmp/functions-of-zsh"

printf '#!/bin/sh\nprintf "web-1\\nweb-2\\n"\n' >"$tmp/bin/nerdctl"
chmod 755 "$tmp/bin/nerdctl"

# offers EXPECTED WORD…: returns whether the shell completes the last word to exactly EXPECTED.
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

offered_for() {
	PATH=$tmp/bin:$PATH RSP_STORE=$tmp/offered COLUMNS=40 "$shell" "$shell_options" "tests/e2e/complete.$shell" "$@" | sort
}

verbs_of_rspctl() {
	"$rspctl" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | sort
}
options_of_verb() {
	"$rspctl" "$1" --help | grep -o -- '^ *\(-[a-zA-Z] \)\{0,1\} *--[a-z-]*=\{0,1\}' | sed 's/.* //' | sort
}

offers_all_verbs() {
	verbs_of_rspctl >"$tmp/verbs"
	[ "$(wc -l <"$tmp/verbs")" -gt 20 ] && offered_for rspctl '' | diff "$tmp/verbs" -
}
offers_all_options() {
	for verb in $(verbs_of_rspctl | grep -v -x -e fleet -e help); do
		options_of_verb "$verb" >"$tmp/options"
		[ "$(wc -l <"$tmp/options")" -ge 6 ] && offered_for rspctl "$verb" -- | diff "$tmp/options" - || return 1
	done
}
# If the usage of a verb contains a snapshot, the shell offers snapshots for it. For other verbs it offers none.
offers_snapshots() {
	for verb in $(verbs_of_rspctl | grep -v -x -e run -e fleet -e help); do
		expected=
		"$rspctl" "$verb" --help | head -n 1 | grep -q -e SNAPSHOT -e BEFORE -e ' ID$' &&
			expected=08df47fd0bb449de1ddfb1b7ad4481d1
		got=$(offered_for rspctl "$verb" 08df)
		[ "$got" = "$expected" ] || {
			echo "$verb: '$got' instead of '$expected'"
			return 1
		}
	done
}
# offers_values VERB OPTION: checks that the shell offers the values that rspctl lists in its error about a wrong value.
offers_values() {
	"$rspctl" "$1" "$2=?" 2>&1 | sed 's/.*(\(.*\)).*/\1/; s/.*one of //; s/: see.*//' | tr -d , | tr ' ' '\n' | sort >"$tmp/values"
	[ "$(wc -l <"$tmp/values")" -ge 2 ] && offered_for rspctl "$1" "$2" '' | diff "$tmp/values" -
}

offered_by() {
	shell=$1 shell_options=$2
	command -v "$shell" >/dev/null || {
		skip "completion for $shell" "there is no $shell"
		return
	}
	check "$shell completes verbs" offers "delete diff doctor" rspctl d
	check "$shell completes options" offers "--debug-dir=" rspctl symbolize --debug
	check "$shell completes all verbs" offers_all_verbs
	check "$shell completes all options of all verbs" offers_all_options
	check "$shell completes snapshots where the usage names one" offers_snapshots
	check "$shell completes values: --view" offers_values report --view
	check "$shell completes values: --kind" offers_values flame --kind
	check "$shell completes values: --colors" offers_values flame --colors
	check "$shell completes values: --json" offers_values list --json
	check "$shell completes values: --per" offers_values diff --per
	check "$shell completes values: --memory" offers_values run --memory
	check "$shell completes views" offers "table" rspctl report --view ta
	check "$shell completes containers" offers "web-1 web-2" rspctl snapshot --container web
	check "$shell completes snapshots" offers 08df47fd0bb449de1ddfb1b7ad4481d1 rspctl explain 08
}

# completes_marks: marks of a recording are times, also in spans.
cat >"$tmp/marks.story" <<'STORY'
0 window 0 100
0 target 10
0 alive 10 app
0 run 10
30 mark text deploy_41
40 mark text deploy_42
100 block 10 sys=35
STORY
"$build/tests/story/story" "$tmp/marks.story" "$tmp/marks.rsp"

completes_marks() {
	command -v "$shell" >/dev/null || return
	check "$shell completes marks" offers "deploy_41 deploy_42" rspctl diff "$tmp/marks.rsp" --at d
	check "$shell completes spans" offers "$tmp/marks.rsp@deploy_41.. $tmp/marks.rsp@deploy_42.." \
		rspctl diff "$tmp/marks.rsp@d"
	check "$shell completes no marks of a file that is not a snapshot" offers "" rspctl diff "$tmp/marks.story" --at d
}

offered_by bash --norc
completes_marks
check "bash completes spans after @ and a text" offers "deploy_42.." rspctl diff "$tmp/marks.rsp" @ deploy_42
check "bash completes spans directly after @" offers "deploy_41.. deploy_42.." rspctl diff "$tmp/marks.rsp" @
check "bash completes values after =" offers "table" rspctl report --view = ta
offered_by zsh -f
completes_marks
check "zsh completes values after =" offers "table" rspctl report --view=ta

# --- names with special characters of a shell -----------------------------------------------------------------------

# press_tab KEYS: types KEYS and the tab key in an empty directory. $tmp/tab/line then contains the command line.
press_tab() {
	rm -rf "$tmp/tab"
	mkdir "$tmp/tab" "$tmp/tab/cwd" "$tmp/tab/zdotdir"
	cp tests/e2e/tab.zsh "$tmp/tab/zdotdir/.zshrc"
	case $shell in
	bash) set -- "$1" bash --noprofile --rcfile "$PWD/tests/e2e/tab.bash" -i ;;
	zsh) set -- "$1" zsh -d -i ;;
	esac
	keys=$(printf '%s\t\a' "$1")
	shift
	completion=$PWD/packaging/completion
	press=$build/tests/programs/press-tab
	(cd "$tmp/tab/cwd" && PATH=$tmp/bin:$PATH TERM=dumb INPUTRC=/dev/null ZDOTDIR=$tmp/tab/zdotdir \
		line=$tmp/tab/line completion=$completion "$press" "$tmp/tab/line" "$keys" "$@")
}

# Prints the fourth word of the command line, after the shell has removed its quotes.
# shellcheck disable=SC2016 # the shell expands it
word_in_line() {
	(cd "$tmp/tab/cwd" && "$shell" -c 'eval "set -- $1"; printf "%s." "$4"' - "$(cat "$tmp/tab/line")")
}

# completes KEYS WORD: returns whether KEYS and the tab key make the last word WORD, and run no command.
completes() {
	press_tab "rspctl explain --comm $1" || return 1
	cat "$tmp/tab/line"
	test -z "$(ls -A "$tmp/tab/cwd")" || return 1
	word=$(word_in_line)
	test -z "$(ls -A "$tmp/tab/cwd")" && test "${word%.}" = "$2"
}

# shellcheck disable=SC2016,SC1003 # nothing is to be expanded
names_of_processes() {
	shell=$1
	command -v "$shell" >/dev/null || {
		skip "names of processes in $shell" "there is no $shell"
		return
	}
	check "$shell: a command name" completes '\$' '$(>X)'
	check "$shell: a command name in backquotes" completes '\`' '`>X`'
	check "$shell: blanks" completes 'rsp\ b' 'rsp b *'
	check "$shell: a single quote" completes "\\'" "'q"
	check "$shell: a double quote" completes '\"' '"q'
	check "$shell: a semicolon" completes '\;' ';>X'
	check "$shell: a backslash" completes '\\' '\x'
	check "$shell: a star" completes '\*' '*'
	check "$shell: within quotes" completes "'rsp b" 'rsp b *'
	check "$shell: all names at once" press_tab 'rspctl explain --comm '
	check "$shell: all names at once: no command runs" test -z "$(ls -A "$tmp/tab/cwd")"
}

if command -v ps >/dev/null; then
	# shellcheck disable=SC2016
	"$build/tests/programs/called" '$(>X)' '`>X`' 'rsp b *' "'q" '"q' ';>X' '\x' '*' 'rsp
>X' >"$tmp/called" &
	fake_pid=$!
	await 10 grep -q ready "$tmp/called"
	names_of_processes bash
	names_of_processes zsh
	kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	fake_pid=
else
	skip "names of processes in a shell" "needs ps"
fi
