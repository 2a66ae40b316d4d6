# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests that need no recorder: command lines, files, stores, and recorders that misbehave.

# --- command lines ----------------------------------------------------------------------------

refuses "unknown verb" 2 "unknown verb 'frobnicate'" frobnicate
refuses "unknown option" 2 "unknown option --frob" list --frob
refuses "unknown letter after a known one" 2 "unknown option -z" -jz
refuses "option without its value" 2 "--store needs a value" --store
refuses "option of another verb" 2 "'list' does not take --pid" list --pid 1
refuses "option of util for serve" 2 "'serve' does not take --syscalls" serve --syscalls
refuses "too many words" 2 "unexpected argument 'b': the usage is 'rspctl info \[SNAPSHOT\]': see 'rspctl info --help'" info a b
refuses "too few words" 2 "an argument is missing: the usage is 'rspctl trigger NAME'" trigger
refuses "run without a command" 2 "an argument is missing: the usage is 'rspctl run -- CMD" run --
refuses "a misspelled verb" 2 "unknown verb 'explian': did you mean 'explain'? See 'rspctl --help'" explian
refuses "the beginning of a verb" 2 "did you mean 'snapshot'?" snap
refuses "a verb that resembles none" 2 "unknown verb 'xyzzy': see" xyzzy
refuses "a misspelled option" 2 "unknown option --vew: did you mean --view? See 'rspctl report --help'" report --vew=table
refuses "a misspelled option of another verb is not suggested" 2 "unknown option --vew: see" list --vew=table
refuses "an ambiguous option" 2 "option --s is ambiguous" --s
refuses "snapshot of a number" 2 "did you mean '--pid 1234'? See 'rspctl snapshot --help'" snapshot 1234
refuses "snapshot of a name" 2 "did you mean '--comm nginx'?" snapshot nginx
refuses "snapshot of a unit" 2 "did you mean '--unit nginx.service'?" snapshot nginx.service
refuses "top of a cgroup" 2 "did you mean '--cgroup /foo'?" top /foo
refuses "an option without a verb" 2 "name a verb: --pid is not an option of 'list'" --pid 1
refuses "help of an unknown verb" 2 "unknown verb 'explian': did you mean 'explain'" help explian
refuses "help of two verbs" 2 "unexpected argument 'run'" help list run
refuses "snapshot of two targets" 2 "only one of --pid" snapshot --pid 1 --comm init
refuses "unknown view" 2 \
	"'pie' is not a view (explain, table, chains, paths, io, net, locks, irq, edges, marks)" explain --view pie
refuses "unknown JSON mode" 2 "'yaml' is not a JSON mode" list --json=yaml
refuses "empty file name" 2 "needs the name of a file" run -o "" -- true
refuses "explain of an invalid process" 2 "is not a process ID" explain --pid x
for duration in 10x s '' -5s 0s 1.s ' 1s' 99999999999999999999s 99999999999999h; do
	refuses "duration '$duration'" 2 "is not a duration" snapshot --pid 1 --last "$duration"
done
for pid in 0 -1 x 1x 99999999999 ''; do
	refuses "pid '$pid'" 2 "is not a process ID" snapshot --pid "$pid"
done
reports "help" "rspctl \[OPTION" --help
reports "help of a verb" "rspctl run \[OPTION" run --help
reports "help as a verb" "^  explain \[SNAPSHOT\]" help
reports "help VERB" "^ *--memory=KINDS" help run

# Prints the verbs and options that rspctl(1) does not describe, and fails if there are any.
describes_all() {
	sed 's/\\-/-/g' docs/rspctl.1 >"$tmp/manual"
	verbs=$("$rspctl" help | awk '/^  [a-z]/ { print $1 }')
	for verb in $verbs; do
		grep -Eq "^\.(B|BR|BI|SS) \"?$verb( |$)" "$tmp/manual" || echo "$verb"
		"$rspctl" help "$verb" | grep -o -- '--[a-z][a-z-]*' | while read -r option; do
			grep -Eq -- "$option([^a-z-]|$)" "$tmp/manual" || echo "$verb $option"
		done
	done >"$tmp/undescribed"
	[ "$(echo "$verbs" | wc -w)" -gt 20 ] && ! grep . "$tmp/undescribed"
}
check "the manual describes all verbs and options" describes_all

# wraps COLUMNS ARG…: checks that the lines of `rspctl ARG…` are at most COLUMNS wide, and that no word is missing.
wraps() {
	wraps_cols=$1
	shift
	COLUMNS=$wraps_cols "$rspctl" "$@" >"$tmp/wrapped" || [ $? -eq 3 ] || return
	"$rspctl" "$@" >"$tmp/unwrapped"
	python3 - "$tmp" "$wraps_cols" <<'END'
import sys
wrapped, unwrapped = (open(sys.argv[1] + name).read() for name in ("/wrapped", "/unwrapped"))
wide = [line for line in wrapped.splitlines() if len(line) > int(sys.argv[2])]
sys.exit(str(wide[:3]) if wide else "text is missing" if wrapped.split() != unwrapped.split() else 0)
END
}
if command -v python3 >/dev/null; then
	check "help is wrapped" wraps 80 --help
	check "help of a verb is wrapped" wraps 80 help flame
	check "requests are wrapped" wraps 80 requests tests/golden/tcp.rsp
	fits() {
		COLUMNS=80 "$rspctl" "$@" | python3 -c 'import sys; sys.exit(any(len(line) > 81 for line in sys.stdin))'
	}
	for view in explain table chains paths io net locks irq edges marks; do
		for name in children lock midway pass pipeline tcp udp; do
			check "--view $view of $name.rsp fits into 80 columns" fits report tests/golden/$name.rsp --view $view
		done
	done
	check "a comparison fits into 80 columns" fits diff tests/golden/tcp.rsp tests/golden/udp.rsp -n 20
	check "help of fleet fits into 80 columns" fits help fleet
fi
reports "version" "^rspctl [0-9]" --version
"$rspctl" --help >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
judge "help to a full disk" 1 "No space left on device"

# --- files and stores -------------------------------------------------------------------------

mkdir "$tmp/empty" "$tmp/odd"
: >"$tmp/odd/ab.rsp"
echo hello >"$tmp/odd/notes.txt"
mkfifo "$tmp/pipe"
refuses "list of an empty store" 1 "no snapshots in $tmp/empty" --store "$tmp/empty"
refuses "list of a missing store" 1 "no snapshots in $tmp/missing" list --store "$tmp/missing"
mkdir "$tmp/notes" "$tmp/notes/cd.rsp"
echo hello | tee "$tmp/notes/notes.txt" "$tmp/notes/ab.no,slo.rsp" >"$tmp/notes/ab..rsp"
refuses "list of a store without snapshots" 1 "no snapshots" list --store "$tmp/notes"
reports "list shows damaged files" "  ab  .*0 B .* - (damaged)$" list --store "$tmp/odd"
refuses "store that is a file" 1 "Not a directory" list --store "$tmp/odd/ab.rsp"
refuses "explain with an empty store" 1 "no snapshots" explain --store "$tmp/empty"
refuses "explain of an unknown ID" 1 "no file or snapshot 'abc'" explain abc
refuses "explain of a missing file" 1 "cannot open .*No such file" explain "$tmp/missing.rsp"
refuses "explain of an empty file" 1 "is not a snapshot" explain "$tmp/odd/ab.rsp"
refuses "explain of a file that is not a snapshot" 1 "is not a snapshot" explain /bin/sh
refuses "explain of a directory" 1 "not a regular file" explain "$tmp"
echo x >"$tmp/pipe" & # waits until another process opens it
fake_pid=$!
refuses "explain of a pipe" 1 "not a regular file" explain "$tmp/pipe"
refuses "explain of a device" 1 "not a regular file" explain /dev/null
check "explain opens no pipe" kill "$fake_pid"
wait "$fake_pid" 2>/dev/null
fake_pid=
refuses "info of a file that is not a snapshot" 1 "is not a snapshot" info /bin/sh
refuses "report of a missing file" 1 "cannot open" report "$tmp/missing" --view table
refuses "delete of a path" 1 "no snapshot '$tmp/odd/ab.rsp'" delete "$tmp/odd/ab.rsp"
refuses "delete outside of the store" 1 "no snapshot '../odd/ab'" --store "$tmp/empty" delete ../odd/ab
check "delete deletes nothing else" test -e "$tmp/odd/ab.rsp"
mkdir "$tmp/slos"
cp tests/golden/lock.rsp "$tmp/slos/abc1.check-out.rsp"
: >"$tmp/slos/abd2.check_out.rsp"
reports "list of an SLO's damaged snapshot" "  abd2  .*  check_out  - (damaged)$" list --store "$tmp/slos"
reports "damaged as JSON" '"slo":"check_out".*"damaged":true' list --json=short --store "$tmp/slos"
reports "explain uses the newest complete snapshot" "Where the time of lock" explain --store "$tmp/slos"
reports "explain by the ID of an SLO's snapshot" "Where the time of lock" explain abc --store "$tmp/slos"
reports "explain of the whole span" "report abc --whole --view" explain abc --whole --store "$tmp/slos"
refuses "explain of a process of another name" 1 "no process called 'nobody' occurs in" explain abc --comm nobody --store "$tmp/slos"
reports "explain of a process by name" "rspctl report abc --comm lock --view" explain abc --comm lock --store "$tmp/slos"
check "explain of one of several processes of a name" sh -c "'$rspctl' explain tests/golden/pass.rsp --comm pass 2>&1 >/dev/null |
	grep -q \"^rspctl: 2 processes are called 'pass', and process 101 was chosen; 'rspctl util' with --comm lists them\""
runs_next() {
	"$rspctl" explain tests/golden/tcp.rsp --comm netpeer-server 2>/dev/null | sed -n 's/^\(Next:\|     \) rspctl //p' |
		sed "s/   .*//; s|page.html|$tmp/page.html|" >"$tmp/next"
	[ "$(wc -l <"$tmp/next")" -ge 2 ] || return 1
	while read -r words; do
		eval "\"\$rspctl\" $words" >/dev/null 2>"$tmp/err" </dev/null || { echo "$words: $(cat "$tmp/err")"; return 1; }
	done <"$tmp/next"
}
check "the next commands of a report are valid" runs_next
refuses "explain of a process by name and ID" 2 "only one of --pid" explain abc --comm lock --pid 1 --store "$tmp/slos"
refuses "export without a format" 2 "needs --format=, one of pprof, " export abc --store "$tmp/slos"
refuses "run: a file in a missing directory" 1 "cannot save a file as .*No such file.*: name another file" \
	run -o "$tmp/missing/x.rsp" -- touch "$tmp/ran"
refuses "run: a page in a missing directory" 1 "cannot save a file as .*No such file" \
	run --html "$tmp/missing/x.html" -- touch "$tmp/ran"
check "run: no file, no recording" test ! -e "$tmp/ran"
refuses "snapshot: a span far ahead" 2 "ends more than ten minutes from now" snapshot --after 11min
refuses "snapshot: a span that ends before it begins" 2 "ends before it begins" snapshot --since now --until -1min
refuses "delete of several" 1 "several snapshots" delete ab --store "$tmp/slos"
check "delete of a damaged snapshot" "$rspctl" delete abd --store "$tmp/slos"
check "delete deletes only that snapshot" test ! -e "$tmp/slos/abd2.check_out.rsp" -a -e "$tmp/slos/abc1.check-out.rsp"

# --- no recorder, or a recorder that misbehaves -----------------------------------------------

refuses "status without a recorder" 5 "no recorder is running at $RSP_SOCKET: start it" status
refuses "snapshot without a recorder" 5 "no recorder is running" snapshot --pid 1
refuses "socket that is a file" 5 "no recorder is running" status --socket "$tmp/odd/notes.txt"
refuses "socket with a long name" 1 "File name too long" status --socket "$(printf '%0200d' 7)"

cp "$rspctl" "$tmp/odd/"
PATH=/nonexistent "$tmp/odd/rspctl" run -- true >"$tmp/out" 2>"$tmp/err"
status=$?
judge "run without an rspd" 1 "there is no rspd beside rspctl"
PATH=/nonexistent "$tmp/odd/rspctl" doctor >"$tmp/out" 2>"$tmp/err"
status=$?
judge "doctor without an rspd" 1 "there is no rspd beside rspctl"

# fake BEHAVIOUR: starts a fake recorder at $tmp/fake.
fake() {
	rm -f "$tmp/fake"
	"$here/fake-recorder" "$tmp/fake" "$1" &
	fake_pid=$!
	await 10 test -S "$tmp/fake"
}

end_fake() {
	kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	fake_pid=
}

misbehaves() {
	fake "$1"
	refuses "recorder: $1" 1 "no snapshot of process 1: .*$2" snapshot --pid 1 --socket "$tmp/fake"
	end_fake
}

if command -v python3 >/dev/null; then
	misbehaves nonsense "does not speak"
	misbehaves array "does not speak"
	misbehaves no-parameters "does not speak"
	misbehaves number-as-error "does not speak"
	misbehaves endless "does not speak"
	misbehaves no-fd "does not speak"
	misbehaves other-error "org.varlink.service.MethodNotFound"
	misbehaves failed "the moon?is ?\[1mfull"
	misbehaves busy "try again"
	misbehaves hangup "closed the connection"
	fake foreign-fd
	refuses "recorder: foreign-fd" 1 "is not a snapshot" snapshot --pid 1 --socket "$tmp/fake"
	end_fake
	refuses "socket that a dead recorder left" 5 "no recorder is running" status --socket "$tmp/fake"
else
	skip "recorders that misbehave" "needs python3"
fi

# --- a machine without apt ------------------------------------------------------------------------

mkdir "$tmp/no-tools"
# no_apt: install-deps must print the names of the packages, and let make continue.
no_apt() {
	PATH="$tmp/no-tools" /bin/sh packaging/install-deps build >"$tmp/deps" 2>&1 || { cat "$tmp/deps"; return 1; }
	grep -q 'libbpf-dev' "$tmp/deps" || { cat "$tmp/deps"; return 1; }
}
check "install-deps without apt" no_apt
check "DEPS=no: make leaves install-deps out" sh -c '! make -n DEPS=no demo | grep install-deps'

# --- exit status 3 ------------------------------------------------------------------------------

all_verbs_end() {
	for verb in explain report util callgraph html "flame --format=svg" "flame --format=folded" "export --format=perfetto" \
		"export --format=pprof" "export --format=json" "diff $2"; do
		# shellcheck disable=SC2086 # words of a command
		"$rspctl" $verb "$2" >/dev/null 2>"$tmp/err"
		status=$?
		[ $status -eq "$1" ] || {
			echo "$verb: $status: $(cat "$tmp/err")"
			return 1
		}
	done
}

sed 's/^35 lost .*/20 lost 14 cnt=1000/' tests/golden/rules/lost-elsewhere.story >"$tmp/lost-within.story"
check "story: losses outside of the span" \
	"$build/tests/story/story" tests/golden/rules/lost-elsewhere.story "$tmp/lost-elsewhere.rsp"
check "story: losses within the span" "$build/tests/story/story" "$tmp/lost-within.story" "$tmp/lost-within.rsp"
check "losses outside of the span: no verb ends with 3" all_verbs_end 0 "$tmp/lost-elsewhere.rsp"
check "losses within the span: all verbs end with 3" all_verbs_end 3 "$tmp/lost-within.rsp"
check "story: pauses" "$build/tests/story/story" tests/golden/rules/pause-long-waits.story "$tmp/paused.rsp"
check "pauses: no verb ends with 3" all_verbs_end 0 "$tmp/paused.rsp"
check "story: another user's tasks" "$build/tests/tools/redact" "$tmp/lost-elsewhere.rsp" 0 "$tmp/withheld.rsp"
check "withheld names: no verb ends with 3" all_verbs_end 0 "$tmp/withheld.rsp"
