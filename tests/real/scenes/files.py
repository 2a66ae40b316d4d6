# SPDX-License-Identifier: GPL-2.0-or-later
"""Files: a scanner that the kernel asks before each open, and a frozen file system."""

import os

from scenes import scene
from stage import Truth, await_


@scene("cat")
def scanner_allows_late(stage):
    """The kernel asks a scanner before it opens the file; the scanner takes 1.3 s."""
    scanned, ready = stage.file("scanned", "x"), stage.path("scanner-is-ready")
    stage.tool("rm", "-f", ready)
    stage.python("scanner.py", scanned, ready)
    await_(lambda: os.path.exists(ready), "the scanner is at work")
    client, recording = stage.ask("cat", scanned)
    return Truth(recording, [["python3"], ["openat"]], client.wait)


@scene("fsfreeze", "mkfs.ext4", "losetup")
def file_system_frozen(stage):
    """A file system is frozen for 1.3 s, as for a snapshot of its volume."""
    image, folder = stage.path("image"), stage.folder("loop")
    stage.tool("truncate", "-s", "64M", image)
    stage.tool("mkfs.ext4", "-q", "-F", image)
    stage.tool("mount", "-o", "loop", image, folder)
    stage.stack.callback(stage.tool, "umount", "-l", folder, check=False)
    thaw = stage.file("thaw.sh", "#!/bin/sh\nsleep 1.3\nfsfreeze -u %s\n" % folder, 0o755)
    stage.record()
    stage.tool("fsfreeze", "-f", folder)
    stage.start(thaw)
    client, recording = stage.ask("dd", "if=/dev/zero", "of=" + folder + "/x", "bs=1k", "count=1")
    return Truth(recording, ["thaw.sh", "fsfreeze", "sleep"], client.wait)
