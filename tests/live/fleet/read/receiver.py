# SPDX-License-Identifier: Apache-2.0
"""receiver.py MODE [CERTIFICATE KEY]: an HTTP receiver on port $PORT of 127.0.0.1, or a free one, which goes to the file `port`.

MODE: silent (accepts and never answers), slow (headers, then nothing), refuse (status 500 with bytes that are no text), record (status 200,
requests go to the file `requests`).  With a certificate it talks TLS.
"""
import gzip
import os
import socket
import ssl
import sys
import threading
import time

mode = sys.argv[1]
s = socket.create_server(("127.0.0.1", int(os.environ.get("PORT", "0"))))
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
with open("port.tmp", "w", encoding="ascii") as f:
    f.write(str(s.getsockname()[1]))
os.rename("port.tmp", "port")


def serve(c):
    if len(sys.argv) > 2:
        c = context.wrap_socket(c, server_side=True)
    if mode == "silent":
        time.sleep(3600)
    f = c.makefile("rb")
    while line := f.readline():
        length, head = 0, line
        while (line := f.readline()).strip():
            head += line
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = f.read(length)
        if mode == "slow":
            c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            time.sleep(3600)
        elif mode == "refuse":
            c.sendall(b"HTTP/1.1 500 Error\r\nContent-Length: 8\r\n\r\n\x1b[2J\xff\0\r\n")
        else:
            with open("requests", "ab") as out:
                out.write(head + (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body) + b"----\n")
            c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def guarded(c):
    try:
        serve(c)
    except OSError:
        pass


while True:
    threading.Thread(target=guarded, args=s.accept()[:1], daemon=True).start()
