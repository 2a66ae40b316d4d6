# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of the process that reads files of users for the recorder: the worker misbehaves, or the files are invalid.

harness=$build/tests/tools/worker-harness
mkdir "$tmp/files"

# A file that begins with one of these words makes the worker misbehave (tests/tools/misbehave.c).
for word in crash spin open socket fork execute babble leave lie symbols new-call report-on report-odd; do
	echo "!$word" >"$tmp/files/$word"
done
: >"$tmp/files/empty"
head -c 100 /bin/sh >"$tmp/files/short"
head -c 20000 /bin/sh >"$tmp/files/half"
mkfifo "$tmp/files/fifo"

# answers NAME "ANSWER…" FILE…: checks the worker's answers for the files, in order. An answer is ok, or the name of an
# error.
answers() {
	answers_name=$1 answers_want=$2
	shift 2
	answers_got=$("$harness" "$@" 2>"$tmp/err" | sort -n | awk '{ printf " %s", $3 == "ok" ? "ok" : $4 }')
	if [ "$answers_got" = " $answers_want" ]; then
		pass "$answers_name"
	else
		fail "$answers_name" "'$answers_got', not '$answers_want'"
	fi
}

# Sets $worker_pid, and copies the worker's status to $tmp/status.
worker_at_work() {
	worker_pid=$(pgrep -P "$1" -x rsp-worker) && cp "/proc/$worker_pid/status" "$tmp/status"
}

worker_has() {
	check "the worker has $1" grep -q "^$2" "$tmp/status"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip "unwind worker" "unwind tables are x86-64's"
elif [ ! -x "$harness" ]; then
	fail "unwind worker" "$harness is not built"
else
	for word in crash babble leave lie symbols; do
		answers "a worker that does '$word' costs one file its table" "ok EIO ok" \
			/bin/sh "$tmp/files/$word" /bin/sh
	done
	# The call of the worker failed with ENOSYS. If it had succeeded, the worker would answer EEXIST.
	for pair in open:openat socket:socket fork:clone execute:mmap; do
		word=${pair%:*} call=${pair#*:}
		answers "a worker that does '$word' gets nothing" "ok ENOSYS ok" \
			/bin/sh "$tmp/files/$word" /bin/sh
		logged "a worker that does '$word' is reported" "$call"
	done
	# After its call, the worker continues and reports that these files contain no unwind rules (EBADMSG).
	answers "a worker that makes new calls continues" "EBADMSG EBADMSG ok" \
		"$tmp/files/new-call" "$tmp/files/new-call" /bin/sh
	logged "a new call is reported once" times
	answers "a worker that reports numbers of unknown calls continues" "EBADMSG EBADMSG ok" \
		"$tmp/files/report-odd" "$tmp/files/report-odd" /bin/sh
	logged "only possible numbers of calls are logged" "number 1000"
	answers "a worker that reports calls without end costs one file its table" "ok EIO ok" \
		/bin/sh "$tmp/files/report-on" /bin/sh
	check "a worker that reports calls without end does not fill the log" [ "$(wc -l <"$tmp/err")" -eq 16 ]
	answers "a worker that never ends costs one file its table" "EIO ok" "$tmp/files/spin" /bin/sh
	answers "files that are not ELF" "EBADMSG EBADMSG EBADMSG EBADMSG EBADMSG ok" "$tmp/files/empty" \
		"$tmp/files/short" /dev/null "$tmp/files" "$tmp/files/fifo" /bin/sh
	answers "a truncated file" "EBADMSG ok" "$tmp/files/half" /bin/sh
	# shellcheck disable=SC2046 # 300 words
	check "more files than the queue can hold" [ "$("$harness" $(yes /bin/sh | head -n 300) | grep -c ' ok ')" -eq 300 ]

	"$harness" "$tmp/files/spin" >"$tmp/out" 2>&1 &
	fake_pid=$!
	if ! await 10 worker_at_work "$fake_pid"; then
		fail "a running worker"
	else
		worker_has "no new privileges" "NoNewPrivs:[[:space:]]*1"
		worker_has "a system call filter" "Seccomp:[[:space:]]*2"
		worker_has "no capabilities" "CapEff:[[:space:]]*0*$"
		worker_has "no permitted ones, either" "CapPrm:[[:space:]]*0*$"
		if [ "$(id -u)" -eq 0 ]; then
			worker_has "nobody's identity" "Uid:[[:space:]]*65534[[:space:]]*65534"
			check "the worker has only its standard files, its inlet, the file that it reads and its two results" \
				[ "$(find "/proc/$worker_pid/fd" -type l | wc -l)" -eq 7 ]
		else
			skip "the worker runs as nobody" "needs root"
		fi
		kill -KILL "$fake_pid"
		# The deadline is shorter than the worker's limit of CPU time, so that limit does not end the worker.
		check "the worker ends with its recorder" await 3 [ ! -e "/proc/$worker_pid/exe" ]
	fi
	fake_pid=
fi
