# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2086 # variables of tests/recorder/run; words of a command
#
# Tests of continuous summaries.

sum_top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "summary" "needs root and kernel types"
	return
fi
sum_slice=$sum_top/rsptest$$.slice
sum_hostile=$sum_top/rsptest$$-hostile.slice
if [ -z "$sum_top" ] || ! mkdir "$sum_slice" "$sum_hostile" 2>/dev/null; then
	skip "summary" "cannot make cgroups of version 2"
	return
fi

sum_pids=
sum_end() {
	for pid in $sum_pids; do
		kill "$pid"
		wait "$pid"
	done 2>/dev/null
	sum_pids=
	await 20 sum_remove
}
sum_remove() {
	find "$sum_slice" "$sum_hostile" -depth -type d -exec rmdir {} + 2>/dev/null
	[ ! -e "$sum_slice" ] && [ ! -e "$sum_hostile" ]
}
trap 'sum_end; for pid in $rspd_pid $fake_pid; do kill "$pid"; done; rm -rf "$tmp"' EXIT

sum_start() {
	mkdir -p "$1"
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' - "$@" >"$tmp/sum-out" 2>&1 &
	sum_pids="$sum_pids $!"
}

sum_config() {
	printf '[Budget]\nCPU=off\n[Summary]\nEvery=%s\n' "$1" >"$tmp/sum.conf"
}

sum_of() {
	"$rspctl" status --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["summaries"][sys.argv[1]])' "$1"
}

sum_above() {
	[ "$(sum_of "$1")" -gt "$2" ]
}

# sum_next: writes the next summary to $tmp/sum.json. Callers run it within await, so it must not use the variables of
# await.
sum_next() {
	sum_before=$(sum_of made) sum_left=600
	until sum_above made "$sum_before"; do
		[ $sum_left -gt 0 ] || return 1
		sum_left=$((sum_left - 1))
		sleep 0.1
	done
	"$rspctl" summary --json >"$tmp/sum.json" 2>"$tmp/err"
}

# sum_says EXPRESSION: returns whether a Python expression holds. s is the summary, u has its units by name, c by
# cgroup.
sum_says() {
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
u = {x["unit"]: x for x in s["units"]}
c = {x["cgroup"]: x for x in s["units"]}
if not eval(sys.argv[2]):
    sys.exit("not so: " + sys.argv[2])' "$tmp/sum.json" "$1" 2>>"$tmp/err"
}

sum_next_says() {
	sum_next && sum_says "$1"
}

sum_config 10s
export RSP_SOCKET="$tmp/summary.sock"
"$rspd" --foreground --config "$tmp/sum.conf" --store "$RSP_STORE" --socket "$RSP_SOCKET" 2>"$tmp/rspd.err" &
rspd_pid=$!
await 60 rspd_answers "$RSP_SOCKET" || fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"
refuses "summary: none yet" 1 "no summary yet" summary

sum_start "$sum_slice/rsptest-hog.service" sh -c 'while :; do :; done'
sum_start "$sum_slice/rsptest-web.service/workers" python3 -c 'import http.server
http.server.HTTPServer(("127.0.0.1", 18080), http.server.SimpleHTTPRequestHandler).serve_forever()'
sum_start "$sum_slice/rsptest-client.service" python3 -c 'import time, urllib.request
while True:
    try:
        urllib.request.urlopen("http://127.0.0.1:18080/").read()
    except OSError:
        pass
    time.sleep(0.02)'

check "summary: a unit that computes" await 2 sum_next_says 'u["rsptest-hog.service"]["categories"]["running_sampled"] > 0'
cp "$tmp/sum.json" "$tmp/sum-first.json"
check "summary: its cgroup" sum_says 'u["rsptest-hog.service"]["cgroup"] == "/rsptest'$$'.slice/rsptest-hog.service"'
check "summary: categories add up to the total" \
	sum_says 'all(sum(x["categories"].values()) == x["total_ns"] for x in s["units"])'
check "summary: its chain names the function" \
	sum_says 'u["rsptest-hog.service"]["chains"][0]["folded"].startswith("sh;")'
check "summary: a sentence about it" sum_says '"sh" in u["rsptest-hog.service"]["cause"]'
check "summary: a cgroup below belongs to the unit, with its requests" await 2 sum_next_says \
	'u["rsptest-web.service"]["requests"][0]["port"] == 18080 and u["rsptest-web.service"]["requests"][0]["answered"] > 3'
check "summary: percentiles in order" sum_says \
	'0 < u["rsptest-web.service"]["requests"][0]["p50_ns"] <= u["rsptest-web.service"]["requests"][0]["p99_ns"]'
check "summary: a slice of one second" sum_says 's["until_ns"] - s["since_ns"] == 10**9 == s["recorded_ns"]'
check "summary: the cost of the previous one" sum_says '0 < s["cpu_ns"] < 10**10'
ctl summary
check "summary: a table for people" grep -q "^rsptest-hog.service  *1  *[0-9<]" "$tmp/out"
check "summary: … with requests" grep -q "^rsptest-web.service: .* answered .* port 18080: median" "$tmp/out"
ctl status
check "summary: status shows number and cost" \
	grep -q "^Summaries: *one of 1.00 s in each 10 s: [0-9]* made, 0 failed, 0 left out, .* of CPU each" "$tmp/out"
"$rspctl" metrics >"$tmp/out"
check "summary: metrics" grep -q "^rsp_summaries_total [1-9]" "$tmp/out"

# --- the socket -------------------------------------------------------------------------------

sum_call() {
	python3 -c 'import json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(json.dumps({"method": "io.rsp.Recorder.Summaries", "parameters": json.loads(sys.argv[2])}).encode() + b"\0")
data = b""
while not data.endswith(b"\0"):
    data += s.recv(1 << 16)
assert len(data) <= 1 << 16, len(data)
print(data[:-1].decode())' "$RSP_SOCKET" "$1"
}

# sum_answers PARAMETERS EXPRESSION: returns whether a Python expression holds. p has the parameters of the reply.
sum_answers() {
	sum_call "$1" >"$tmp/reply" && python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))["parameters"]
sys.exit(not eval(sys.argv[2]))' "$tmp/reply" "$2"
}

sum_boot=$(sum_of boot)
check "summary: the socket has all of them, from 1 on" \
	sum_answers '{}' 'p["summaries"][0]["number"] == 1 and p["missed"] == 0 and len(p["boot"]) == 32'
check "summary: the reply is as the interface says" \
	sh -c '"$1" include/rsp/io.rsp.Recorder.varlink Summaries <"$2"' - "tests/e2e/varlink-check" "$tmp/reply"
check "summary: only those after a number" \
	sum_answers "{\"boot\": \"$sum_boot\", \"after\": 1}" 'p["summaries"][0]["number"] == 2'
check "summary: none after the newest" \
	sum_answers "{\"boot\": \"$sum_boot\", \"after\": 1000000}" 'p["summaries"] == [] and p["missed"] == 0'
check "summary: all of them for another start" sum_answers '{"boot": "x", "after": 1}' 'p["summaries"][0]["number"] == 1'
chmod 777 "$tmp"
setpriv --reuid 65534 --regid 65534 --clear-groups "$rspctl" summary >"$tmp/out" 2>"$tmp/err"
status=$?
judge "summary: another user gets none" 4 "only root and members of group rsp"

# --- a worker that dies or hangs --------------------------------------------------------------

# Replaces the worker by a script that executes the worker. sum_worker() then replaces this script by others, which
# misbehave.
mv "$tmp/bin/rsp-worker" "$tmp/bin/rsp-worker.real"
cat >"$tmp/bin/rsp-worker" <<END
#!/bin/sh
exec "$tmp/bin/rsp-worker.real" "\$@"
END
sum_worker() {
	printf '#!/bin/sh\n%s\n' "$1" >"$tmp/bin/rsp-worker.new"
	chmod 755 "$tmp/bin/rsp-worker.new"
	mv "$tmp/bin/rsp-worker.new" "$tmp/bin/rsp-worker"
}
sum_worker 'kill -9 $$'
sum_failed=$(sum_of failed)
check "summary: a worker that dies costs a summary" await 60 sum_above failed $sum_failed
sum_failed=$(sum_of failed)
sum_worker 'exec sleep 1000'
check "summary: a worker that hangs, too" await 90 sum_above failed $sum_failed
check "summary: one line in the log for both" [ "$(grep -c "a summary could not be made" "$tmp/rspd.err")" -eq 1 ]
mv "$tmp/bin/rsp-worker.real" "$tmp/bin/rsp-worker"
check "summary: then summaries go on" await 2 sum_next_says 's["units"]'

# --- hostile names ----------------------------------------------------------------------------

# Makes a thousand cgroups. Two hundred of them contain a process.
python3 - "$sum_hostile" >"$tmp/sum-hostile" <<'END'
import os, subprocess, sys
top = os.fsencode(sys.argv[1])
kinds = [b'"' * 250, b"\\" * 250, b"\xff\xfe\x80" * 80, "\u202e\u2028".encode() * 40, b"\x1b[31m" * 50, b"nginx.service ;",
         b"x" * 255, b"a\tb;c d", b"docker-" + b"0" * 64 + b".scope"]
pids = []
for i in range(1000):
    path = top + b"/" + b"%03d" % i + kinds[i % len(kinds)][:252]
    os.makedirs(path)
    if i < 200:
        # The process moves to the cgroup before the exec, because the recorder notes the cgroup at the exec.
        with open(path + b"/cgroup.procs", "w") as f:
            pids.append(subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL,
                                         preexec_fn=lambda: os.write(f.fileno(), b"0")).pid)
print(*pids)
END
sum_pids="$sum_pids $(cat "$tmp/sum-hostile")"
sum_failed=$(sum_of failed)
check "summary: a summary of a thousand cgroups with hostile names" sum_next_says 'len(s["units"]) <= 50 and s["left_out"] > 0'
check "summary: … does not fail" [ "$(sum_of failed)" -eq $sum_failed ]
check "summary: … is valid UTF-8 without control characters" python3 -c 'import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode()
sys.exit(any(unicodedata.category(c) in ("Cc", "Cf") for c in text.rstrip("\n")))' "$tmp/sum.json"
check "summary: … and no cgroup of a user is nginx.service" sum_says '"nginx.service" not in u or c.get("/system.slice/nginx.service")'
check "summary: … and the busiest unit is still there" sum_says 'u["rsptest-hog.service"]["chains"]'
ctl summary
check "summary: no escape reaches the terminal" sh -c '! grep -q "$(printf "\033")" "$1"' - "$tmp/out"

# --- pauses and the configuration -------------------------------------------------------------

sum_made=$(sum_of made) sum_skipped=$(sum_of skipped)
ctl pause
check "summary: intervals in a pause are counted" await 60 sum_above skipped $sum_skipped
check "summary: no summary is made in a pause" [ "$(sum_of made)" -le $((sum_made + 1)) ]
ctl resume
sum_config no
kill -HUP "$rspd_pid"
await 10 sh -c '[ "$("$1" status --json | grep -c "\"every_ns\": *0")" -eq 1 ]' - "$rspctl"
refuses "summary: none are made" 1 "set Every= in section" summary

end_rspd TERM
sum_end
