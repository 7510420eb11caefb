#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""lossy.py SECONDS: on loopback, a connection whose other end loses all that comes (a filter of the socket, socket(7)), and
one byte that is sent over it. Prints the local port, and at the end how many segments the kernel sent again."""
import ctypes
import socket
import struct
import sys
import time

SO_ATTACH_FILTER = 26


def retransmitted():
    lines = [line.split() for line in open("/proc/net/snmp") if line.startswith("Tcp:")]
    return int(dict(zip(lines[0], lines[1]))["RetransSegs"])


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
sender = socket.create_connection(listener.getsockname())
receiver, _ = listener.accept()
drop = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))  # BPF_RET | BPF_K: none of it
receiver.setsockopt(
    socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(drop)))
before = retransmitted()
print(sender.getsockname()[1], listener.getsockname()[1], flush=True)
sender.send(b"x")
time.sleep(float(sys.argv[1]))
# nothing is sent again once it is reset
sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
sender.close()
print(retransmitted() - before, flush=True)
