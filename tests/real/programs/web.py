# SPDX-License-Identifier: GPL-2.0-or-later
"""web.py PORT [threaded]: Python's own web server. /compute/MS computes for MS by the clock, /sleep/MS sleeps, and
both then answer "ok". Other requests are answered at once."""

import http.server
import sys
import time


def expensive_report(ms):
    end = time.monotonic() + ms / 1e3
    while time.monotonic() < end:
        sum(i * i for i in range(1000))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        what, _, ms = self.path.strip("/").partition("/")
        if what == "compute":
            expensive_report(int(ms))
        if what == "sleep":
            time.sleep(int(ms) / 1e3)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args):
        pass


kind = http.server.ThreadingHTTPServer if "threaded" in sys.argv else http.server.HTTPServer
kind(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
