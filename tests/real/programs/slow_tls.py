# SPDX-License-Identifier: GPL-2.0-or-later
"""slow_tls.py PORT FOLDER: an HTTPS server that computes for 1.3 s before each handshake; the folder has its
certificate and key."""

import socket
import ssl
import sys
import time

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2] + "/certificate", sys.argv[2] + "/key")
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    plain, _ = listener.accept()
    end = time.monotonic() + 1.3
    while time.monotonic() < end:
        sum(range(1000))
    with context.wrap_socket(plain, server_side=True) as client:
        client.recv(10000)
        client.sendall(b"HTTP/1.0 204 No Content\r\n\r\n")
