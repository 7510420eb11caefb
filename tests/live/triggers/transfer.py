#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""transfer.py TO FROM: on loopback, a connection over which TO bytes go one way and then FROM bytes back. It waits for a
line on standard input first, prints both ports, and at the end a port that refused a connection."""
import socket
import sys
import threading

there, back = int(sys.argv[1]), int(sys.argv[2])


def read(connection, size):
    while size > 0:
        data = connection.recv(min(size, 65536))
        if not data:
            sys.exit("the connection ended early")
        size -= len(data)


def serve(listener):
    connection, _ = listener.accept()
    read(connection, there)
    connection.sendall(b"b" * back)
    connection.recv(1)  # until the other end has closed
    connection.close()


sys.stdin.readline()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
server = threading.Thread(target=serve, args=(listener,))
server.start()
client = socket.create_connection(listener.getsockname())
print(client.getsockname()[1], listener.getsockname()[1], flush=True)
client.sendall(b"t" * there)
read(client, back)
client.close()
server.join()
port = listener.getsockname()[1]
listener.close()
try:
    socket.create_connection(("127.0.0.1", port))
except ConnectionRefusedError:
    print(port, flush=True)
