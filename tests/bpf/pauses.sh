# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests a recorder that pauses for three quarters of the time, so that most long waits end in a pause.

# The child writes five times, 1.3 s apart, and the parent reads. The code has no spaces, so that it is one word.
waits='import os,time;r,w=os.pipe();[os.write(w,b"x")for(i)in(range(5))if(not(time.sleep(1.3)))]if(not(os.fork()))else[os.read(r,1)for(i)in(range(5))]'

measures_long_waits() {
	"$tmp/pausing/rspctl" run --json -o "$tmp/pauses.rsp" -- /usr/bin/python3 -c "$waits" >"$tmp/pauses" \
		2>"$tmp/pauses.err" || { cat "$tmp/pauses.err" && return 1; }
	"$here/waits-check" "$tmp/pauses" sleep 88 comm=python3 syscall=nanosleep object=pipe
}

# is_told_first PATTERN: checks that the first sentence of the report contains PATTERN and the wait.
is_told_first() {
	"$rspctl" explain "$tmp/pauses.rsp" 2>/dev/null | head -n 1 >"$tmp/pauses.first"
	grep -q "waited 6\.[345].* s .*$1.* for python3 .* which was sleeping" "$tmp/pauses.first" ||
		{ cat "$tmp/pauses.first" && return 1; }
}

# The child sends five messages, 1.3 s apart. For each of them, the parent polls repeatedly with a timeout of a second.
cat >"$tmp/messages.py" <<'EOT'
import os, select, socket, time

listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
server = listener.accept()[0]
if not os.fork():
    client.close()
    for _ in range(5):
        time.sleep(1.3)
        server.send(b"x")
    os._exit(0)
server.close()
poll = select.poll()
poll.register(client, select.POLLIN)
for _ in range(5):
    while not poll.poll(1000):
        pass
    client.recv(1)
EOT

names_the_sender() {
	"$tmp/pausing/rspctl" run --json -o "$tmp/pauses.rsp" -- /usr/bin/python3 "$tmp/messages.py" >"$tmp/pauses" \
		2>"$tmp/pauses.err" || { cat "$tmp/pauses.err" && return 1; }
	is_told_first "in poll"
}

private_with "$tmp/pausing" --time=25%
check "waits that end while the recording pauses are measured" try measures_long_waits
check "the first sentence names such a wait and its waker" is_told_first pipe
check "a message that ends a wait in a pause names its sender" try names_the_sender
