# SPDX-License-Identifier: GPL-2.0-or-later
"""Signals, messages, terminals."""

from scenes import scene
from stage import Truth, first

PERL = "use Time::HiRes qw(time sleep alarm); "


@scene("perl")
def alarm_ends_a_read(stage):
    """No process writes to the pipe. After 1.3 s, a signal of the program's own timer ends the read."""
    code = PERL + "$SIG{ALRM} = sub { die }; pipe(R, W); alarm 1.3; eval { sysread(R, $x, 1) };"
    client, recording = stage.run("perl", "-e", code)
    return Truth(recording, [["timeout"], ["read"]], 1300, span_ms=client.wall_ms)


@scene("perl")
def system_v_message(stage):
    """A child sends a System V message after it has computed."""
    code = PERL + "use IPC::SysV qw(IPC_PRIVATE IPC_RMID); my $q = msgget(IPC_PRIVATE, 0600); my $b = time; my $m; " \
        "my $child = fork; if (!$child) { my $e = time + 1.2; while (time < $e) { $x++ } " \
        "msgsnd($q, pack('l! a*', 1, 'x'), 0); exit } msgrcv($q, $m, 10, 0, 0); " \
        "print 'ms ', (time - $b) * 1000, qq( pid $child\\n); msgctl($q, IPC_RMID, 0); wait"
    client, recording = stage.run(*first("perl", "-e", code))
    return Truth(recording, [[client.out.split("pid ")[1].split()[0]], ["computing"]],
                 float(client.out.split("ms ")[1].split()[0]), span_ms=client.wall_ms)


@scene("expect")
def terminal(stage):
    """expect waits for the output of a shell, which sleeps, in a separate terminal."""
    script = stage.file("terminal.exp", "log_user 0\nspawn sh -c {sleep 1.4; echo ready}\nexpect ready\n")
    client, recording = stage.run("expect", script)
    return Truth(recording, ["sleep"], [1400, client.wall_ms], span_ms=client.wall_ms)
