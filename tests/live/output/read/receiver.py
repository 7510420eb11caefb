# SPDX-License-Identifier: Apache-2.0
"""
Receives Carbon's line protocol on a port of 127.0.0.1, which it writes to the file "port":
receiver.py read|stall|drop FILE [PORT].  read writes the lines to FILE; stall accepts and reads
nothing; drop closes the first connection after some bytes, and reads the next one to its end.
"""
import os
import socket
import sys
import time

mode, name = sys.argv[1:3]
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
server.bind(('127.0.0.1', int(sys.argv[3]) if len(sys.argv) > 3 else 0))
server.listen()
with open('port.new', 'w') as port:
    port.write(str(server.getsockname()[1]))
os.rename('port.new', 'port')

if mode == 'drop':
    connection, _ = server.accept()
    connection.recv(10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
    connection.close()
connection, _ = server.accept()
if mode == 'stall':
    time.sleep(60)
with open(name, 'wb') as out:
    while data := connection.recv(65536):
        out.write(data)
