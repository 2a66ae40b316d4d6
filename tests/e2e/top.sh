# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests rspctl top as text, and in a terminal (tmux) of two sizes, with a private recorder. RSP_TOP_PROCESSES is the
# number of other processes.

refuses "top without a terminal" 2 "needs a terminal" top
refuses "top without a recorder" 5 "no recorder is running" top --once
refuses "top with an odd interval" 2 "is not a duration" top --once --interval 1ms
refuses "top of a snapshot" 2 "did you mean .--comm abc" top abc

shows() {
	tmux -L rsp-top capture-pane -p -t top >"$tmp/pane" 2>/dev/null && grep -q -- "$1" "$tmp/pane"
}

keys() {
	tmux -L rsp-top send-keys -t top "$@"
}

fits() {
	[ "$(wc -l <"$tmp/pane")" -le "$2" ] && [ "$(LC_ALL=C.UTF-8 wc -L <"$tmp/pane")" -le "$1" ]
}

mkdir -p "$tmp/live"
RSP_SOCKET=$tmp/live/rspd.sock
start_rspd --socket "$RSP_SOCKET"
if ! await 30 rspd_answers "$RSP_SOCKET"; then
	skip "rspctl top" "the recorder cannot start here: $(tail -n 1 "$tmp/rspd.err")"
	end_rspd TERM
else
	python3 - "${RSP_TOP_PROCESSES:-500}" <<-'END' &
		import ctypes, os, signal, sys
		for i in range(int(sys.argv[1])):
		    if os.fork() == 0:
		        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
		        signal.pause()
		if os.fork() == 0:
		    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
		    ctypes.CDLL(None).prctl(15, b'\x1b[2Jhostile', 0, 0, 0)
		    while True:
		        pass
		signal.pause()
	END
	many=$!
	fake_pid="$fake_pid $many"
	hostile_is_shown() {
		"$rspctl" top --once -n 100 "$@" >"$tmp/out" && grep -q "^ *[0-9.]* .*?\[2Jhostile" "$tmp/out"
	}
	check "top --once: a process and its time" await 20 hostile_is_shown
	check "top --once: no control characters" sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' '$tmp/out'"
	check "top --once: functions" grep -q "FUNCTION" "$tmp/out"
	check "top --once: the cost of recording" grep -q "recorder [0-9.]* % of the CPUs, top [0-9.]* % of a CPU" "$tmp/out"
	check "top --once --comm" await 20 hostile_is_shown --comm "$(printf '\033')[2Jhostile"
	check "top --once --comm: no other process" sh -c "! grep -q 'rspd \[\|python3 \[' '$tmp/out'"
	refuses "top --unit of root" 2 "top chooses processes by --pid or --comm" top --once --unit x
	as_nobody() {
		setpriv --reuid nobody --regid nogroup --clear-groups "$@"
	}
	setpriv --reuid nobody --regid nogroup --clear-groups sh -c "while :; do :; done" &
	own=$!
	fake_pid="$fake_pid $own"
	setpriv --reuid nobody --regid nogroup --clear-groups sh -c "while :; do :; done" &
	other=$!
	fake_pid="$fake_pid $other"
	all_own_are_shown() {
		as_nobody "$rspctl" top --once -n 100 >"$tmp/out" 2>"$tmp/err" && grep -q "sh \[$own\]" "$tmp/out" &&
			grep -q "sh \[$other\]" "$tmp/out"
	}
	check "top of a user: all of their own processes" await 20 all_own_are_shown
	check "top of a user: not the process of root that computes" sh -c "! grep -q hostile '$tmp/out'"
	# Rows end with the name of their process. For a process of another user, this name would be "uid" and a number.
	check "top of a user: no part of the time of others" sh -c "! grep -q '  uid [0-9]* \[[0-9]*\] *$' '$tmp/out'"
	as_nobody "$rspctl" top --once --pid "$own" --comm sh >"$tmp/out" 2>"$tmp/err"
	status=$?
	judge "top of a user: two options" 2 "only one of --pid"
	as_nobody "$rspctl" top --once --pid "$many" >"$tmp/out" 2>"$tmp/err"
	status=$?
	judge "top of a user: not a process of root" 4 "group rsp"
	own_is_shown() {
		as_nobody "$rspctl" top --once --pid "$own" >"$tmp/out" && grep -q "sh \[$own\]" "$tmp/out" &&
			! grep -q hostile "$tmp/out"
	}
	check "top of a user: their own process, and no other's" await 10 own_is_shown
	kill "$own" "$other"
	if ! command -v tmux >/dev/null; then
		skip "top in a terminal" "there is no tmux"
	else
		LC_ALL=C.UTF-8 tmux -L rsp-top -f /dev/null new-session -d -s top -x 80 -y 24 \
			"stty -g >$tmp/before; '$rspctl' top; echo \"ended \$?\"; stty -g >$tmp/after; exec sleep 1000"
		check "top at 80x24: hot processes" await 20 shows "?\[2Jhostile"
		check "top at 80x24: the keys" shows "^q quit"
		check "top at 80x24: the number of processes" shows " [0-9]* processes, "
		check "top at 80x24: it fits" fits 80 24
		tmux -L rsp-top resize-window -t top -x 200 -y 60
		check "top at 200x60: more columns" await 10 shows "MODULE\|OBJECT"
		check "top at 200x60: it fits" fits 200 60
		keys i / pause Enter
		check "top: idle threads on demand" await 10 shows " idle  *pause"
		keys i / BSpace BSpace BSpace BSpace BSpace hostile Enter
		check "top: a filter" await 10 shows "filter: hostile"
		check "top: the filter hides other rows" sh -c "! grep -q 'rsp-worker\|rspd' '$tmp/pane'"
		keys / Escape f
		check "top: frozen" await 10 shows FROZEN
		keys f Tab Tab Tab
		check "top: sorting" sh -c "tmux -L rsp-top send-keys -t top s"
		check "top: another order" await 10 shows "(by queue)"
		keys s s s s s
		sleep 0.3
		keys Enter
		check "top: the chains of a row" await 30 shows "Where the time of .* went"
		keys q u
		check "top: by cgroup" await 10 shows "cgroup\|/"
		keys u q
		check "top: q ends it" await 10 shows "^ended 0"
		check "top: the terminal is restored" cmp "$tmp/before" "$tmp/after"

		# ends_top SIGNAL STATUS: checks that the signal ends top in the pane, with STATUS, and that the
		# terminal has its former settings.
		ends_top() {
			rm -f "$tmp/after"
			tmux -L rsp-top respawn-pane -k -t top \
				"stty -g >$tmp/before; '$rspctl' top; echo \"ended \$?\"; stty -g >$tmp/after; exec sleep 1000"
			await 20 shows "^q quit" || return
			kill -"$1" "$(pgrep -P "$(tmux -L rsp-top display -p -t top '#{pane_pid}')" -x rspctl)" &&
				await 10 shows "^ended $2" && await 10 test -s "$tmp/after" && cmp "$tmp/before" "$tmp/after"
		}
		check "top: SIGINT ends it" ends_top INT 0
		check "top: SIGTERM ends it" ends_top TERM 143
		check "top: SIGHUP ends it" ends_top HUP 129

		# Needs a shell with job control: otherwise, the process group of rspctl is orphaned, and the kernel
		# ignores SIGTSTP.
		at_prompt() {
			keys "stty -g >$1" Enter && await 10 test -s "$1"
		}
		stops_top() {
			rm -f "$tmp/before" "$tmp/after"
			tmux -L rsp-top respawn-pane -k -t top "PS1='> ' exec bash --norc --noediting -i"
			at_prompt "$tmp/before" || return
			keys "'$rspctl' top" Enter
			await 20 shows "^q quit" || return
			kill -TSTP "$(pgrep -P "$(tmux -L rsp-top display -p -t top '#{pane_pid}')" -x rspctl)" &&
				await 10 shows "Stopped" && at_prompt "$tmp/after" && cmp "$tmp/before" "$tmp/after" || return
			keys "clear; fg" Enter
			await 20 shows "^q quit" || return
			keys q
			rm "$tmp/after"
			await 10 shows "^>" && at_prompt "$tmp/after" && cmp "$tmp/before" "$tmp/after"
		}
		check "top: SIGTSTP stops it and SIGCONT continues it" stops_top

		tmux -L rsp-top respawn-pane -k -t top \
			"NO_COLOR=1 '$rspctl' top; echo \"ended \$?\"; stty -g >$tmp/after; exec sleep 1000"
		check "top with NO_COLOR" await 20 shows "?\[2Jhostile"
		no_colour() {
			tmux -L rsp-top capture-pane -e -p -t top | grep -q "$(printf '\033')\[3[0-7]" && return 1
			return 0
		}
		check "top with NO_COLOR: no colors" no_colour
		end_rspd KILL
		check "top: a recorder that crashes" await 20 shows "cannot follow events any more: the recorder closed the connection"
		check "top: the exit status is 1" shows "^ended 1"
		check "top: the terminal is restored then, too" cmp "$tmp/before" "$tmp/after"
		tmux -L rsp-top kill-server
	fi
	[ -z "$rspd_pid" ] || end_rspd TERM
	kill "$many" 2>/dev/null
fi
RSP_SOCKET=$tmp/none/rspd.sock
