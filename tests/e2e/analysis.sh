# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of the process that names functions for the recorder, its results, and the damage if an attacker controls it
# (tests/tools/misbehave.c).

analyser=$build/tests/tools/analysis-harness
sample=tests/golden/pipeline.rsp

# gives NAME OUTPUT ARG…: checks that the harness prints OUTPUT, which is an error or a headline. The harness writes a
# result only together with a headline.
gives() {
	gives_name=$1 gives_want=$2
	shift 2
	rm -f "$tmp/analysed.rsp"
	gives_got=$(timeout 60 "$analyser" analyse "$@" "$tmp/analysed.rsp" 2>"$tmp/err")
	status=$?
	if [ "$gives_got" != "$gives_want" ]; then
		fail "$gives_name" "'$gives_got', not '$gives_want'"
	elif [ "$status" -eq 0 ] && [ ! -s "$tmp/analysed.rsp" ]; then
		fail "$gives_name" "no result"
	elif [ "$status" -ne 0 ] && [ -e "$tmp/analysed.rsp" ]; then
		fail "$gives_name" "a result after an error"
	else
		pass "$gives_name"
	fi
}

analysis_worker() {
	worker_pid=$(pgrep -P "$1" -x rsp-worker) && grep -q '^Seccomp:[[:space:]]*2' "/proc/$worker_pid/status"
}

if [ ! -x "$analyser" ]; then
	fail "analysis" "$analyser is not built"
	return
fi

# Without names of functions, the first sentence of the sample is different.
headline=$("$analyser" analyse "$sample" "$tmp/unnamed.rsp")
check "analysis: the headline is the beginning of the report" \
	[ "$headline" = "$("$rspctl" report "$tmp/unnamed.rsp" 2>/dev/null | head -n 1)" ]
check "analysis: there is a headline" [ -n "$headline" ]
gives "analysis: of the user's own process" "$headline" -u 0 "$sample"
gives "analysis: of a process of another user" EACCES -u 4242 "$sample"
gives "analysis: a worker that requests other files gets none of them" "$headline" -c '!request' "$sample"
gives "analysis: a worker that requests files after half of its time gets none, and ends" "$headline" \
	-p 4 -c '!request-on' "$sample"
for word in crash babble number error leave write report-on; do
	gives "analysis: a worker that does '$word'" EIO -c "!$word" "$sample"
done
check "analysis: a worker that reports calls without end does not fill the log" [ "$(wc -l <"$tmp/err")" -eq 16 ]
for pair in open:openat socket:socket fork:clone execute:mmap; do
	gives "analysis: a worker that does '${pair%:*}' gets nothing" ENOSYS -c "!${pair%:*}" "$sample"
	logged "analysis: a worker that does '${pair%:*}' is reported" "${pair#*:}"
done
gives "analysis: a worker that makes new calls continues" "$headline" -c '!new-call' "$sample"
logged "analysis: a new call is reported once" times
for word in spin silent; do
	gives "analysis: a worker that does '$word'" ETIMEDOUT -p 1 -c "!$word" "$sample"
done

"$analyser" analyse -c '!spin' "$sample" "$tmp/spin.rsp" >"$tmp/out" 2>&1 &
fake_pid=$!
if await 10 analysis_worker "$fake_pid"; then
	kill -KILL "$fake_pid"
	check "analysis: the worker ends with the process that waits for it" await 3 [ ! -e "/proc/$worker_pid/exe" ]
else
	fail "analysis: a running worker"
fi
fake_pid=

check "analysis: a function of a program is found" "$analyser" find "$build/tests/programs/callers" outer
check "analysis: a missing function is not found" [ "$("$analyser" find /bin/sh no_such_function)" = ENOENT ]
check "analysis: a file that is not a program has no functions" [ "$("$analyser" find "$sample" main)" = EBADMSG ]

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "analysis: names" "needs root and BTF"
	return
fi

# The file of a running program is deleted, as in an upgrade. The worker must get the names from the running process.
cp "$build/tests/programs/callers" "$tmp/upgraded"
"$tmp/upgraded" 100000 >"$tmp/out" 2>&1 &
fake_pid=$!
"$rspctl" run -o "$tmp/upgraded.rsp" -- sleep 0.5 >"$tmp/out" 2>"$tmp/err"
rm "$tmp/upgraded"
"$analyser" analyse "$tmp/upgraded.rsp" "$tmp/analysed.rsp" >"$tmp/out" 2>"$tmp/err"
check "analysis: names of a program that was replaced" \
	sh -c '"$1" report "$2" --pid "$3" --view chains 2>/dev/null | grep -q "innermost (upgraded)"' - \
	"$rspctl" "$tmp/analysed.rsp" "$fake_pid"
kill "$fake_pid"
fake_pid=
