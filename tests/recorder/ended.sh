# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/recorder/run
#
# Tests of names of functions whose program has ended, and whose file is gone or replaced, before the service makes a
# snapshot.

if [ "$(id -u)" -ne 0 ]; then
	skip "names of programs that have ended" "needs root"
	return
elif [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "names of programs that have ended" "this kernel has no BTF"
	return
elif ! command -v objcopy >/dev/null || ! command -v python3 >/dev/null; then
	skip "names of programs that have ended" "needs objcopy and python3"
	return
fi

export RSP_SOCKET="$tmp/ended/rspd.sock"
start_rspd --socket "$RSP_SOCKET" --sample-hz 997
await 60 rspd_answers "$RSP_SOCKET" || fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"

# ended_names FILE: prints the functions of the program callers in `rspctl report FILE`.
ended_names() {
	"$rspctl" report "$1" --json=short -n 100 >"$tmp/names.json" 2>>"$tmp/err"
	python3 -c 'import json, sys
frames = [f for c in json.load(open(sys.argv[1]))["chains"] for h in c["hops"] for f in h["stack"]]
print("", *sorted({f["symbol"] for f in frames if f["module"] == "callers"}), "")' "$tmp/names.json"
}

# names_are_its_own NAME: checks that the functions in $tmp/ended.rsp have names from the program that ran.
names_are_its_own() {
	names=$(ended_names "$tmp/ended.rsp")
	case $names in
	*" wrong "*) fail "$1" "names of another file: $names" ;;
	*" outer "*) pass "$1" ;;
	*) fail "$1" "no name of its own: $names; $(head -n 1 "$tmp/err")" ;;
	esac
}

# snapshot_names NAME PID: does the same for a new snapshot of the process.
snapshot_names() {
	timeout 60 "$rspctl" snapshot --pid "$2" --last 1min -o "$tmp/ended.rsp" >/dev/null 2>"$tmp/err"
	names_are_its_own "$1"
}

# A copy of the program callers, in which the function outer has the name "wrong".
objcopy --redefine-sym outer=wrong "$build/tests/programs/callers" "$tmp/wrong"
mkdir -p "$tmp/its/app"

cat >"$tmp/contained" <<'END'
mount -t tmpfs tmpfs "$1/app" && cp "$2" "$1/app/callers" && exec "$1/app/callers"
END
if unshare -m true 2>/dev/null; then
	unshare -m sh "$tmp/contained" "$tmp/its" "$build/tests/programs/callers" >"$tmp/out" &
	pid=$!
	wait "$pid"
	check "a container: the program has ended and its file is gone" test ! -e "$tmp/its/app/callers"
	snapshot_names "a container that ended before the snapshot" "$pid"
	cp "$tmp/wrong" "$tmp/its/app/callers"
	snapshot_names "… and another program at its path" "$pid"
else
	skip "a container that ended before the snapshot" "no namespaces can be made"
fi

# In an upgrade, a new file gets the path of the old one.
cp "$build/tests/programs/callers" "$tmp/its/callers"
"$tmp/its/callers" >"$tmp/out" &
pid=$!
wait "$pid"
cp "$tmp/wrong" "$tmp/its/new"
mv "$tmp/its/new" "$tmp/its/callers"
snapshot_names "a program that was replaced before the snapshot" "$pid"

# A compiler may overwrite the file in place. Without a build-id, only the size and time differ.
objcopy --remove-section .note.gnu.build-id "$build/tests/programs/callers" "$tmp/its/callers"
objcopy --remove-section .note.gnu.build-id "$tmp/wrong" "$tmp/new"
"$tmp/its/callers" >"$tmp/out" &
pid=$!
wait "$pid"
cat "$tmp/new" >"$tmp/its/callers"
snapshot_names "a program without build-id that was overwritten" "$pid"

reports "status shows the copies of symbols" "^Symbols: *copied from [1-9][0-9]* files" status --all
end_rspd TERM
export RSP_SOCKET="$tmp/none/rspd.sock"

# rspctl run keeps the files of programs open, but not those of a tmpfs that a user has mounted.
if setpriv --reuid=1234 --regid=1234 --clear-groups unshare -U -r -m true 2>/dev/null; then
	mkdir "$tmp/user-app" && mkdir "$tmp/user-app/app"
	cp "$build/tests/programs/callers" "$tmp/readable"
	reports "a container of a user that rspctl run recorded" "^callers " run -o "$tmp/ended.rsp" -- \
		setpriv --reuid=1234 --regid=1234 --clear-groups unshare -U -r -m sh "$tmp/contained" "$tmp/user-app" "$tmp/readable"
	names_are_its_own "… has names after its end"
else
	skip "a container of a user that rspctl run recorded" "no user namespaces can be made"
fi
