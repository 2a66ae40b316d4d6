# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests of names of functions.

refuses "symbolize: no snapshot" 1 "no file or snapshot 'abc'" symbolize abc
refuses "symbolize: a foreign file" 1 "is not a snapshot" symbolize /bin/sh
refuses "symbolize: no such directory" 1 "cannot read the directory .*/missing" \
	symbolize /bin/sh --debug-dir "$tmp" --debug-dir "$tmp/missing"
refuses "symbolize: directory without a name" 2 "needs the path of a directory" symbolize x --debug-dir ''

if [ "$(id -u)" -ne 0 ]; then
	skip "names of a stripped program" "needs root"
	return
elif [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "names of a stripped program" "this kernel has no BTF"
	return
elif ! command -v objcopy >/dev/null || ! command -v python3 >/dev/null; then
	skip "names of a stripped program" "needs objcopy and python3"
	return
fi

# Makes a stripped program and its debug file in another directory. The build-id is new, because other tests may run the
# program at the same time, and the recorder uses the symbols of any file with the same build-id.
mkdir -p "$tmp/prog" "$tmp/flat" "$tmp/tree/.build-id"
objcopy --dump-section ".note.gnu.build-id=$tmp/note" "$build/tests/programs/callers" "$tmp/whole"
{
	head -c 16 "$tmp/note"
	head -c 20 /dev/urandom
} >"$tmp/new-note"
objcopy --update-section ".note.gnu.build-id=$tmp/new-note" "$build/tests/programs/callers" "$tmp/whole"
objcopy --only-keep-debug "$tmp/whole" "$tmp/flat/any-name"
objcopy --strip-all --add-gnu-debuglink="$tmp/flat/any-name" "$tmp/whole" "$tmp/prog/callers"
build_id=$(file_build_id "$tmp/flat/any-name")
mkdir "$tmp/tree/.build-id/$(echo "$build_id" | cut -c 1-2)"
cp "$tmp/flat/any-name" \
	"$tmp/tree/.build-id/$(echo "$build_id" | cut -c 1-2)/$(echo "$build_id" | cut -c 3-).debug"

# Prints the report of a snapshot. If $of is set, the report is about that process.
of=''
chains_of() {
	"$rspctl" report "$1" ${of:+--pid "$of"} --json=short -n 100 2>/dev/null
}

# names_in FILE [MODULE]: prints the functions of MODULE (default: callers), for example "inner innermost outer".
names_in() {
	chains_of "$1" >"$tmp/names.json"
	python3 -c 'import json, sys
frames = [f for c in json.load(open(sys.argv[1]))["chains"] for h in c["hops"] for f in h["stack"]]
print(*sorted({f["symbol"] for f in frames if f["module"] == sys.argv[2]}))' \
		"$tmp/names.json" "${2:-callers}"
}

has_names() {
	has_names=" $(names_in "$1") "
	for name in outer inner innermost; do
		case $has_names in
		*" $name "*) ;;
		*) return 1 ;;
		esac
	done
}

reports "a stripped program" "^callers " run -o "$tmp/bare.rsp" -- "$tmp/prog/callers"
bare=$(names_in "$tmp/bare.rsp")
# Without symbols, the unwinding rules show where each function begins. A .plt section counts as one function.
{
	nm "$build/tests/programs/callers" | cut -d ' ' -f 1
	readelf -SW "$build/tests/programs/callers" | sed -n 's/.* PROGBITS  *\([0-9a-f]*\) .*/\1/p'
} | sed 's/^0*/callers+0x/' >"$tmp/begins"
echo "$bare" | tr ' ' '\n' >"$tmp/bare"
prints_none() {
	! "$@"
}
check "without debug file, all places in a function have the same name" prints_none grep -vxFf "$tmp/begins" "$tmp/bare"
check "these names are places in the file" prints_none grep -v '^callers+0x' "$tmp/bare"

mkdir "$tmp/prog/.debug"
cp "$tmp/flat/any-name" "$tmp/prog/.debug/"
reports "with its debug file in place" "^callers " \
	run -o "$tmp/linked.rsp" -- "$tmp/prog/callers"
check "inlined functions have their names" has_names "$tmp/linked.rsp"

cp "$tmp/bare.rsp" "$tmp/here.rsp"
reports "symbolize, in place" "user frames" symbolize "$tmp/here.rsp"
check "symbolize, in place: names" has_names "$tmp/here.rsp"

mkdir "$tmp/user"
cp "$tmp/bare.rsp" "$tmp/user/mine.rsp"
chown -R 1234:1234 "$tmp/user"
as_user() {
	setpriv --reuid=1234 --regid=1234 --clear-groups "$@"
}
check "symbolize, for a plain user" as_user "$rspctl" symbolize "$tmp/user/mine.rsp"
check "symbolize, for a plain user: names" has_names "$tmp/user/mine.rsp"

# When rspctl names functions, the container has ended. Its program was in a file system of its own mount namespace.
mkdir -p "$tmp/gone/app"
cat >"$tmp/contained" <<'END'
mount -t tmpfs tmpfs "$1/app" && cp "$2" "$1/app/" && exec "$1/app/callers"
END
if unshare -m -p -f true 2>/dev/null; then
	reports "a container that has ended" "^unshare " run -o "$tmp/gone.rsp" -- unshare -m -p -f sh "$tmp/contained" \
		"$tmp/gone" "$build/tests/programs/callers"
	check "its functions have names" has_names "$tmp/gone.rsp"
	check "the container's files are gone" test ! -e "$tmp/gone/app/callers"
else
	skip "a container that has ended" "no namespaces can be made"
fi

# Only the root directory of this process contains the debug file. The process is stopped when functions are named.
box=$tmp/box
mkdir -p "$box/proc" "$box/usr/lib/debug/.build-id"
cp "$tmp/prog/callers" "$box/"
ldd "$box/callers" | sed -n 's/^[^/]*\(\/[^ ]*\) .*/\1/p' | while read -r library; do
	mkdir -p "$box$(dirname "$library")"
	cp -L "$library" "$box$library"
done
cat >"$tmp/boxed" <<'END'
setpriv --reuid=1234 --regid=1234 --clear-groups true || exit
chroot --userspec=1234:1234 "$1" /callers 60000 >/dev/null &
echo $! >"$2"
until [ "$(cut -d ' ' -f 14 "/proc/$!/stat")" -ge 20 ]; do sleep 0.05; done
kill -STOP $!
END
reports "a program in another root" "^sh " run -o "$tmp/box.rsp" -- sh "$tmp/boxed" "$box" "$tmp/box.pid"
fake_pid=$(cat "$tmp/box.pid")
of=$fake_pid
boxed_id=$(echo "$build_id" | cut -c 1-2)
mkdir "$box/usr/lib/debug/.build-id/$boxed_id"
cp "$tmp/flat/any-name" "$box/usr/lib/debug/.build-id/$boxed_id/$(echo "$build_id" | cut -c 3-).debug"
cp "$tmp/box.rsp" "$tmp/user/box.rsp"
chown 1234:1234 "$tmp/user/box.rsp"
check "its functions have no names before" test "$(names_in "$tmp/box.rsp" | tr ' ' '\n' | sort -u | grep -c '^callers+0x')" -ge 1
reports "symbolize with files of another root" "user frames" symbolize "$tmp/box.rsp"
check "symbolize with files of another root: names" has_names "$tmp/box.rsp"
check "symbolize with files of another root, for a plain user" as_user "$rspctl" symbolize "$tmp/user/box.rsp"
check "symbolize with files of another root, for a plain user: names" has_names "$tmp/user/box.rsp"
kill -KILL "$fake_pid"
fake_pid='' of=''

if command -v xz >/dev/null; then
	objcopy --strip-debug "$tmp/whole" "$tmp/mini"
	xz "$tmp/mini"
	mkdir "$tmp/mini-prog"
	objcopy --strip-all --add-section .gnu_debugdata="$tmp/mini.xz" \
		"$tmp/whole" "$tmp/mini-prog/callers"
	reports "a program with .gnu_debugdata" "^callers " \
		run -o "$tmp/mini.rsp" -- "$tmp/mini-prog/callers"
	check ".gnu_debugdata names functions, but not inlined ones" test "$(names_in "$tmp/mini.rsp" |
		tr ' ' '\n' | grep -cx -e outer -e inner -e innermost)" -eq 1
else
	skip "a program with .gnu_debugdata" "needs xz"
fi

reports "code made at run time" "^jit " run -o "$tmp/jit.rsp" -- "$build/tests/programs/jit"
rm -f "/tmp/perf-$(sed -n 's/^pid //p' "$tmp/out").map"
check "code made at run time has a name" test "$(names_in "$tmp/jit.rsp" '[jit]')" = made_at_run_time
reports "symbolize does not know code made at run time" "user frames" symbolize "$tmp/jit.rsp"
check "symbolize keeps the name of code made at run time" test "$(names_in "$tmp/jit.rsp" '[jit]')" = made_at_run_time

# Removes the program and its debug file, as if the snapshot were read on another machine.
rm -r "$tmp/prog"

# in_open PID: returns whether the process or a child of it is in open(). A slow file system at the path lets open()
# hang.
in_open() {
	for pid in "$1" $(ps -o pid= --ppid "$1"); do
		grep -qs '^257 ' "/proc/$pid/syscall" && return 0
	done
	return 1
}
slow=$tmp/slow
mkdir "$slow" "$tmp/prog"
: >"$tmp/slow-out"
"$build/tests/tools/slow-fs" open "$slow" "$build/tests/programs/callers" >"$tmp/slow-out" 2>"$tmp/err" &
slow_pid=$!
if await 5 test -s "$tmp/slow-out"; then
	"$slow/program" 1 >"$tmp/out"
	ln -s "$slow/program" "$tmp/prog/callers"
	"$rspctl" symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp" >"$tmp/out" 2>"$tmp/err" &
	fake_pid=$!
	check "symbolize waits for a file that is never opened" await 10 in_open "$fake_pid"
	kill "$fake_pid"
	check "… and can be interrupted" await 10 has_ended "$fake_pid"
	kill "$slow_pid"
	wait "$slow_pid" "$fake_pid" 2>/dev/null
	fake_pid=
	umount -l "$slow"
else
	skip "symbolize waits for a file that is never opened" "$(cat "$tmp/err")"
fi
rm -r "$tmp/prog"

for dir in flat tree tree/.build-id; do
	reports "symbolize --debug-dir $dir" "user frames" \
		symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp" --debug-dir "$tmp/$dir"
	chains_of "$tmp/here.rsp" >"$tmp/here.json"
	chains_of "$tmp/there.rsp" >"$tmp/there.json"
	check "symbolize --debug-dir $dir: names" has_names "$tmp/there.rsp"
	check "symbolize --debug-dir $dir: the same as in place" cmp "$tmp/here.json" "$tmp/there.json"
done
# rspctl uses a server of debug files only if the user names it.
if [ -e "$(ldconfig -p | sed -n 's/.*libdebuginfod.so.1 .*=> //p' | head -n 1)" ]; then
	mkdir -p "$tmp/www/buildid/$build_id"
	cp "$tmp/flat/any-name" "$tmp/www/buildid/$build_id/debuginfo"
	python3 -u -c 'import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port)
server.serve_forever()' "$tmp/www" >"$tmp/port" 2>"$tmp/asked" &
	fake_pid=$!
	await 10 test -s "$tmp/port"
	reports "symbolize without servers" "user frames" symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp"
	check "only a server that the user names gets requests" test ! -s "$tmp/asked"
	DEBUGINFOD_URLS="http://127.0.0.1:$(cat "$tmp/port")" DEBUGINFOD_CACHE_PATH="$tmp/cache"
	export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
	reports "symbolize with a server" "user frames" symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp"
	check "symbolize with a server: names" has_names "$tmp/there.rsp"
	# rspctl reads from the network as the user nobody.
	check "symbolize with a server: not with root's rights" test ! -e "$tmp/cache"
	cp "$tmp/bare.rsp" "$tmp/user/bare.rsp"
	chown 1234 "$tmp/user/bare.rsp"
	DEBUGINFOD_CACHE_PATH=$tmp/user/cache
	check "symbolize with a server, for a plain user" as_user "$rspctl" symbolize "$tmp/user/bare.rsp" \
		-o "$tmp/user/there.rsp"
	check "symbolize with a server, for a plain user: names" has_names "$tmp/user/there.rsp"
	unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
	kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	fake_pid=
else
	skip "symbolize with a server" "needs libdebuginfod"
fi

check "symbolize -o does not change the snapshot" test "$(names_in "$tmp/bare.rsp")" = "$bare"
reports "symbolize without the files" "user frames" symbolize "$tmp/there.rsp" -o "$tmp/kept.rsp"
check "symbolize loses no name" has_names "$tmp/kept.rsp"

head -c $(($(stat -c %s "$tmp/bare.rsp") - 1)) "$tmp/bare.rsp" >"$tmp/short.rsp"
refuses "symbolize: a truncated snapshot" 1 "is truncated: names cannot be added" \
	symbolize "$tmp/short.rsp"
