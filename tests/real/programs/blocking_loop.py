# SPDX-License-Identifier: GPL-2.0-or-later
"""blocking_loop.py PORT: a server with asyncio. One of its requests, /slow, sleeps for 1.3 s in the event loop."""

import asyncio
import sys
import time


def blocking_call():
    time.sleep(1.3)


async def serve(reader, writer):
    if b"slow" in await reader.readline():
        blocking_call()
    writer.write(b"HTTP/1.0 200 OK\r\n\r\nok")
    await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


asyncio.run(main())
