# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Cases about the names of functions: of a stripped program, with what strip took from it in place,
# in another directory, nowhere; named again where the program is not.

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

# The program, and apart from it what strip took.
mkdir -p "$tmp/prog" "$tmp/flat" "$tmp/tree/.build-id"
objcopy --only-keep-debug "$build/tests/programs/callers" "$tmp/flat/any-name"
objcopy --strip-all --add-gnu-debuglink="$tmp/flat/any-name" \
	"$build/tests/programs/callers" "$tmp/prog/callers"
build_id=$(file_build_id "$tmp/flat/any-name")
mkdir "$tmp/tree/.build-id/$(echo "$build_id" | cut -c 1-2)"
cp "$tmp/flat/any-name" \
	"$tmp/tree/.build-id/$(echo "$build_id" | cut -c 1-2)/$(echo "$build_id" | cut -c 3-).debug"

chains_of() {
	"$rspctl" report "$1" --json=short -n 100 2>/dev/null
}

# names_in FILE [MODULE]: "inner innermost outer", names of functions in MODULE (callers) that its
# chains show.
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
# It has three: outer, main, _start.
check "without it, all places in a function look the same" test "$(echo "$bare" | wc -w)" -le 3
check "and are places in a file" test -z "$(echo "$bare" | tr ' ' '\n' | grep -v '^callers+0x')"

mkdir "$tmp/prog/.debug"
cp "$tmp/flat/any-name" "$tmp/prog/.debug/"
reports "with its debug file in place" "^callers " \
	run -o "$tmp/linked.rsp" -- "$tmp/prog/callers"
check "inlined functions have their names" has_names "$tmp/linked.rsp"

cp "$tmp/bare.rsp" "$tmp/here.rsp"
reports "symbolize, in place" "user frames" symbolize "$tmp/here.rsp"
check "symbolize, in place: names" has_names "$tmp/here.rsp"

if command -v xz >/dev/null; then
	objcopy --strip-debug "$build/tests/programs/callers" "$tmp/mini"
	xz "$tmp/mini"
	mkdir "$tmp/mini-prog"
	objcopy --strip-all --add-section .gnu_debugdata="$tmp/mini.xz" \
		"$build/tests/programs/callers" "$tmp/mini-prog/callers"
	reports "a program with .gnu_debugdata" "^callers " \
		run -o "$tmp/mini.rsp" -- "$tmp/mini-prog/callers"
	check "it names functions, but not inlined ones" test "$(names_in "$tmp/mini.rsp" |
		tr ' ' '\n' | grep -cx -e outer -e inner -e innermost)" -eq 1
else
	skip "a program with .gnu_debugdata" "needs xz"
fi

reports "code made at run time" "^jit " run -o "$tmp/jit.rsp" -- "$build/tests/programs/jit"
rm -f "/tmp/perf-$(sed -n 's/^pid //p' "$tmp/out").map"
check "code made at run time has its name" test "$(names_in "$tmp/jit.rsp" '[jit]')" = made_at_run_time
reports "symbolize knows nothing of it" "user frames" symbolize "$tmp/jit.rsp"
check "but keeps its name" test "$(names_in "$tmp/jit.rsp" '[jit]')" = made_at_run_time

# As on another machine, which has neither the program nor its debug file where they were.
rm -r "$tmp/prog"
for dir in flat tree tree/.build-id; do
	reports "symbolize --debug-dir $dir" "user frames" \
		symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp" --debug-dir "$tmp/$dir"
	chains_of "$tmp/here.rsp" >"$tmp/here.json"
	chains_of "$tmp/there.rsp" >"$tmp/there.json"
	check "symbolize --debug-dir $dir: names" has_names "$tmp/there.rsp"
	check "symbolize --debug-dir $dir: the same as in place" cmp "$tmp/here.json" "$tmp/there.json"
done
# A server of debug files, asked only if the user named it.
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
	check "no server is asked unless named" test ! -s "$tmp/asked"
	DEBUGINFOD_URLS="http://127.0.0.1:$(cat "$tmp/port")" DEBUGINFOD_CACHE_PATH="$tmp/cache"
	export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
	reports "symbolize with a server" "user frames" symbolize "$tmp/bare.rsp" -o "$tmp/there.rsp"
	check "symbolize with a server: names" has_names "$tmp/there.rsp"
	unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
	kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	fake_pid=
else
	skip "symbolize with a server" "needs libdebuginfod"
fi

check "symbolize -o leaves the snapshot as it is" test "$(names_in "$tmp/bare.rsp")" = "$bare"
reports "symbolize without the files" "user frames" symbolize "$tmp/there.rsp" -o "$tmp/kept.rsp"
check "symbolize loses no name" has_names "$tmp/kept.rsp"

head -c $(($(stat -c %s "$tmp/bare.rsp") - 1)) "$tmp/bare.rsp" >"$tmp/short.rsp"
refuses "symbolize: a truncated snapshot" 1 "is truncated: no names can be added" \
	symbolize "$tmp/short.rsp"
