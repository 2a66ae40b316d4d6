# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of rspctl for bash. It reads verbs, their arguments, options and views from `rspctl
# --help`, so they are listed only there.

# Prints a help text, with one line per verb and option. rspctl would wrap lines at COLUMNS, so it
# is empty.
__rspctl_help() {
	COLUMNS='' rspctl "$@" --help 2>/dev/null
}

# Candidates for completion are untrusted: any user can choose names of processes, units and files.
# compgen -W would expand the names, and run commands in $(…). So this file never expands a
# candidate, and quotes each candidate before inserting it into the command line.

# Prints the names of the running containers that this user may list with the container runtimes.
__rspctl_containers() {
	local runtime

	for runtime in docker podman nerdctl; do
		command -v $runtime >/dev/null && timeout 5 $runtime ps --format '{{.Names}}' </dev/null
	done
	machinectl list --no-legend --no-pager | sed 's/ .*//'
}

# __rspctl_values OPTION: prints the possible values of an option, one per line.
__rspctl_values() {
	case $1 in
	--view) __rspctl_help report | sed -n 's/^ *--view=VIEW *//p' | tr -d , | tr ' ' '\n' ;;
	--kind) __rspctl_help flame | sed -n 's/^ *--kind=KIND *\(.*\) (default.*/\1/p' | tr -d , | tr ' ' '\n' ;;
	--colors) printf '%s\n' kind name ;;
	--format) __rspctl_help export | sed -n 's/^ *--format=FORMAT *//p' | sed 's/of [a-z, ]*://g; s/ or / /g' | tr -d ',;' | tr -s ' ' '\n' ;;
	--json) printf '%s\n' short pretty off ;;
	--per) __rspctl_help diff | sed -n 's/^ *--per=BASIS .* per //p' | sed 's/ or / /' | tr -d , | tr ' ' '\n' ;;
	--memory) __rspctl_help run | sed -n 's/^ *--memory=KINDS .*: //p' | tr -d , | tr ' ' '\n' ;;
	--pid) ps -eo pid= | tr -d ' ' ;;
	--comm) ps -eo comm= ;;
	--container) __rspctl_containers ;;
	--unit) systemctl list-units --all --plain --no-legend --no-pager | sed 's/ .*//' ;;
	*) return 1 ;;
	esac 2>/dev/null
}

# __rspctl_listed KEY VERB…: prints the values of a key in the JSON list that a verb prints.
__rspctl_listed() {
	rspctl "${@:2}" --json=short | grep -o "\"$1\":\"[^\"]*" | sed 's/.*"//'
}

# __rspctl_marks RECORDING: prints the texts of the marks in a recording.
__rspctl_marks() {
	rspctl report "$1" --view marks --json=short 2>/dev/null |
		grep -o '"kind":"[a-z_]*","text":"[^"\\]*"' | sed 's/"$//; s/.*"//' | sort -u
}

# __rspctl_spans RECORDING PREFIX: prints the spans of a recording that begin at its marks, each
# after PREFIX.
__rspctl_spans() {
	local mark

	__rspctl_marks "${1##*,}" | while IFS= read -r mark; do
		printf '%s\n' "$2$mark.."
	done
}

# Prints the first recording on the command line, whose marks are completed for --at.
__rspctl_recording() {
	local word seen=''

	for word in "$@"; do
		case $word in
		-*) ;;
		diff) [[ ! $seen ]] || break; seen=1 ;;
		*) [[ ! $seen ]] || { printf '%s\n' "$word"; return; } ;;
		esac
	done
}

# __rspctl_arguments VERB: prints the possible arguments of a verb, one per line. The first line of
# the verb's help contains their names.
__rspctl_arguments() {
	local usage verbs='s/^  \([a-z]\{1,\}\) .*/\1/p'

	case $1 in
	'' | help) __rspctl_help | sed -n "$verbs" ;;
	slo) printf '%s\n' list test ;;
	fleet) __rspctl_help fleet | sed -n "$verbs" ;;
	trigger | test) __rspctl_listed name slo list ;;
	*)
		usage=$(__rspctl_help "$1" | head -n 1)
		case $usage in
		*SNAPSHOT* | *BEFORE* | *' ID') __rspctl_listed id list ;;
		esac
		;;
	esac 2>/dev/null
}

# __rspctl_options [VERB]: prints the options of a verb or, without VERB, of all verbs.
__rspctl_options() {
	__rspctl_help ${1:+"$1"} | sed -n 's/^ *\(-[a-zA-Z] \)\{0,1\} *\(--[a-z-]*=\{0,1\}\).*/\2/p'
}

# __rspctl_offer WORD: offers the candidates on stdin, one per line, that begin with the typed WORD.
# Within quotes, it offers only candidates without special characters, because readline inserts them
# unchanged.
__rspctl_offer() {
	local candidate quoted special=''

	COMPREPLY=()
	case $1 in
	\'*) special=\' ;;
	\"*) special='"$`\!' ;;
	esac
	while IFS= read -r candidate; do
		if [[ ! $special ]]; then
			printf -v quoted %q "$candidate"
			[[ $quoted != "$1"* ]] || COMPREPLY+=("$quoted")
		elif [[ $candidate == "${1:1}"* && $candidate != *["$special"]* ]]; then
			COMPREPLY+=("$candidate")
		fi
	done
}

_rspctl() {
	local cur=${COMP_WORDS[COMP_CWORD]} before=() word verb='' option values
	local IFS=$' \t\n'

	# For bash, the '=' between an option and its value is a word of its own.
	before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
	if [[ $cur == '=' ]]; then
		option=${COMP_WORDS[COMP_CWORD - 1]} cur=
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	else
		option=${COMP_WORDS[COMP_CWORD - 1]}
	fi
	for word in "${before[@]}"; do
		case $word in
		--)
			[[ $option != -- ]] || __rspctl_offer "$cur" < <(compgen -c -- "$cur")
			compopt -o default 2>/dev/null
			return
			;;
		-*) ;;
		test) [[ $verb != slo ]] || verb='test' ;;
		*) [[ -n $verb || $word != [a-z]* ]] || verb=$word ;;
		esac
	done

	# If bash completes host names, '@' is a word of its own, too.
	if [[ $verb == diff && $cur == '@' ]]; then
		__rspctl_offer '' < <(__rspctl_spans "${COMP_WORDS[COMP_CWORD - 1]}" '')
		return
	elif [[ $verb == diff && ${COMP_WORDS[COMP_CWORD - 1]} == '@' ]]; then
		__rspctl_offer "$cur" < <(__rspctl_spans "${COMP_WORDS[COMP_CWORD - 2]}" '')
		return
	elif [[ $verb == diff && $cur == ?*@* ]]; then
		__rspctl_offer "$cur" < <(__rspctl_spans "${cur%@*}" "${cur%@*}@")
		return
	elif [[ $verb == diff && $option == --at ]]; then
		__rspctl_offer "$cur" < <(__rspctl_marks "$(__rspctl_recording "${before[@]}")")
		return
	fi
	if [[ $cur == -* ]]; then
		__rspctl_offer "$cur" < <(__rspctl_options "$verb")
		[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
		return
	fi
	values=$(__rspctl_values "$option") || values=$(__rspctl_arguments "$verb")
	__rspctl_offer "$cur" <<<"$values"
	# A snapshot, or the value of an option, may be a file, so files are offered, too.
	[[ -z $verb && $option != -* ]] || compopt -o default 2>/dev/null
}

complete -F _rspctl rspctl
