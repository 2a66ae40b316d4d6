# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Functions that the scripts of this folder share. rules/NAME.story is a story about a rule of the
# model, and rules/NAME.report is its expected report.

rules=tests/golden/rules

# tests/golden/mutate makes tens of thousands of reports, so these functions start few programs.

# story_read NAME: sets story_KEY to the value of each line "# KEY: VALUE" at the top of the story. story_flame has a
# line for each line with the key flame.
story_read() {
	story_view='' story_requests='' story_util='' story_flame='' story_merge='' story_redact=''
	while read -r story_mark story_key story_value && [ "$story_mark" = '#' ]; do
		case $story_key in
		view:) story_view=$story_value ;;
		requests:) story_requests="requests $story_value" ;;
		util:) story_util="util $story_value" ;;
		flame:) story_flame="$story_flame$story_value
" ;;
		merge:) story_merge=$story_value ;;
		redact:) story_redact=$story_value ;;
		esac
	done <"$rules/$1.story"
}

# story_compile BUILD NAME DIR: makes DIR/NAME.rsp. A line "# redact: UID" leaves only the data that user UID may see. A
# line "# merge: OTHER…" merges the snapshot with the stories of other hosts (rules/OTHER).
story_compile() {
	"$1/tests/story/story" "$rules/$2.story" "$3/$2.rsp" || return 1
	story_read "$2"
	[ -z "$story_merge" ] || story_merge "$1" "$2" "$3" || return 1
	[ -z "$story_redact" ] || {
		mv "$3/$2.rsp" "$3/$2.whole" && "$1/tests/tools/redact" "$3/$2.whole" "$story_redact" "$3/$2.rsp"
	}
}

# story_merge BUILD NAME DIR: keeps the output of `rspctl merge`, because it is part of the report.
story_merge() {
	mv "$3/$2.rsp" "$3/$2.here"
	story_snapshots=$2.here
	for story_other in $story_merge; do
		"$1/tests/story/story" "$rules/$story_other" "$3/$story_other" || return 1
		story_snapshots="$story_snapshots $story_other"
	done
	# shellcheck disable=SC2086 # names
	(story_rspctl=$(realpath "$1/rspctl") && cd "$3" && "$story_rspctl" merge $story_snapshots -o "$2.rsp" >"$2.merged")
}

# story_report RSPCTL NAME DIR: prints the report of DIR/NAME.rsp. The keys view, requests, util and flame of the story
# select it. RSPCTL must be an absolute path, because it runs in DIR: reports contain the path of their snapshot.
story_report() {
	story_read "$2"
	[ -z "$story_merge" ] || cat "$3/$2.merged"
	if [ -n "$story_flame" ]; then
		printf %s "$story_flame" | while read -r story_options; do
			echo "== $story_options"
			# shellcheck disable=SC2086 # options
			(cd "$3" && flame_graph "$1" "$2.rsp" $story_options)
		done
		return
	fi
	story_words=${story_requests:-${story_util:-report}}
	[ "$story_words" != report ] || story_view="--view ${story_view:-explain}"
	# shellcheck disable=SC2086 # options
	(cd "$3" && timeout 60 "$1" ${story_words%% *} "$2.rsp" ${story_words#"${story_words%% *}"} $story_view 2>&1) ||
		echo "(exit status $?)"
}

# flame_graph RSPCTL SNAPSHOT OPTION…: prints a flame graph without its style and script, because these are the same in
# all graphs.
flame_graph() {
	flame_rspctl=$1
	shift
	timeout 60 "$flame_rspctl" flame "$@" >flame.out 2>&1 || echo "(exit status $?)" >>flame.out
	sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' flame.out
	rm flame.out
}

# Prints one line for each comparison and call graph to check: a file with the expected output, and the command line of
# rspctl.
comparisons() {
	cat <<-'WORDS'
		netpeer.diff diff tcp.rsp udp.rsp
		netpeer.folded diff tcp.rsp udp.rsp --format folded
		tcp-parts.diff diff tcp.rsp --at 100ms
		lock.callgraph callgraph lock.rsp
		lock.bottom-up callgraph lock.rsp --bottom-up
		lock.callers callgraph lock.rsp --kind offcpu --function futex_wait
	WORDS
}

story_names() {
	for story in "$rules"/*.story; do
		basename "$story" .story
	done
}
