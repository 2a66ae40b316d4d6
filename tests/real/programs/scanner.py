# SPDX-License-Identifier: GPL-2.0-or-later
"""scanner.py FILE READY: acts as a virus scanner: whenever a program opens FILE, the kernel asks the scanner for
permission, and the scanner takes 1.3 s to answer. It creates READY as soon as it works."""

import ctypes
import os
import struct
import sys
import time

FAN_CLASS_CONTENT, FAN_MARK_ADD, FAN_OPEN_PERM, FAN_ALLOW, AT_FDCWD = 4, 1, 0x10000, 1, -100
EVENT = "IBBHQii"

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.fanotify_init(FAN_CLASS_CONTENT, 0)
if fd < 0 or libc.fanotify_mark(fd, FAN_MARK_ADD, ctypes.c_uint64(FAN_OPEN_PERM), AT_FDCWD, sys.argv[1].encode()):
    sys.exit("fanotify: " + os.strerror(ctypes.get_errno()))
open(sys.argv[2], "w", encoding="ascii").close()
while True:
    opened = struct.unpack(EVENT, os.read(fd, struct.calcsize(EVENT)))[5]
    time.sleep(1.3)
    os.write(fd, struct.pack("iI", opened, FAN_ALLOW))
    os.close(opened)
