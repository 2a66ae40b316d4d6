#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""trace_processor.py LIBRARY QUERY FILE…: prints the rows that Perfetto's trace processor answers for each file.

LIBRARY is libtest_trace_processor.so of Debian's chromium-shell. Its interface is the C++ class
base::test::TestTraceProcessorImpl of Chromium, with types of libc++. The caller allocates an object that a method
returns, and passes its address as the first argument."""
import ctypes
import sys

CONSTRUCT = "_ZN4base4test22TestTraceProcessorImplC1Ev"
PARSE_TRACE = "_ZN4base4test22TestTraceProcessorImpl10ParseTraceERKNSt3__16vectorIcNS2_9allocatorIcEEEE"
EXECUTE_QUERY = ("_ZNK4base4test22TestTraceProcessorImpl12ExecuteQueryERK"
                 "NSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE")


class Vector(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_void_p), ("end", ctypes.c_void_p), ("limit", ctypes.c_void_p)]

    def items(self, kind):
        return [kind.from_address(at) for at in range(self.begin or 0, self.end or 0, ctypes.sizeof(kind))]


class String(ctypes.Structure):
    """Reads a string of libc++. If the first bit is set, the text is elsewhere. Otherwise the rest of the first byte is
    the length, and the text follows."""
    _fields_ = [("capacity", ctypes.c_size_t), ("size", ctypes.c_size_t), ("text", ctypes.c_void_p)]

    def __str__(self):
        if self.capacity & 1:
            return ctypes.string_at(self.text, self.size).decode()
        return bytes(self)[1:1 + (self.capacity & 0xff) // 2].decode()


class QueryResultOrError(ctypes.Structure):
    _fields_ = [("rows", Vector), ("error", String)]


class TraceProcessor:
    def __init__(self, library, data):
        self.library, self.object = library, (ctypes.c_void_p * 2)()
        status = ctypes.c_void_p()
        begin = ctypes.cast(data, ctypes.c_void_p).value
        end = begin + len(data)
        library[CONSTRUCT](self.object)
        library[PARSE_TRACE](ctypes.byref(status), self.object, ctypes.byref(Vector(begin, end, end)))

    def query(self, sql):
        result = QueryResultOrError()
        text = String(len(sql) | 1, len(sql), ctypes.cast(sql, ctypes.c_void_p).value)
        self.library[EXECUTE_QUERY](ctypes.byref(result), self.object, ctypes.byref(text))
        if str(result.error):
            sys.exit(str(result.error))
        return [[str(cell) for cell in row.items(String)] for row in result.rows.items(Vector)]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    library = ctypes.CDLL(sys.argv[1])
    if not all(hasattr(library, method) for method in (CONSTRUCT, PARSE_TRACE, EXECUTE_QUERY)):
        sys.exit(f"{sys.argv[1]} has another interface than in Chromium 156")
    for path in sys.argv[3:]:
        rows = TraceProcessor(library, read(path)).query(read(sys.argv[2]))
        print("\n".join(",".join(row) for row in rows[1:]))  # the first row contains the names of columns


if __name__ == "__main__":
    main()
