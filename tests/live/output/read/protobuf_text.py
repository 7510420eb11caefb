# SPDX-License-Identifier: Apache-2.0
"""Reads what protoc --decode prints: a message is a dictionary of lists."""
import re


def read(lines):
    root = {}
    stack = [root]
    for line in lines:
        line = line.strip()
        if line == '}':
            stack.pop()
        elif line.endswith('{'):
            message = {}
            stack[-1].setdefault(line[:-1].strip(), []).append(message)
            stack.append(message)
        elif line:
            name, value = line.split(': ', 1)
            stack[-1].setdefault(name, []).append(scalar(value))
    assert len(stack) == 1
    return root


def scalar(text):
    if text[0] == '"':
        return unescape(text[1:-1])
    if re.fullmatch(r'-?\d+', text):
        return int(text)
    return text


def unescape(text):
    simple = {'n': '\n', 'r': '\r', 't': '\t', '"': '"', "'": "'", '\\': '\\'}

    def one(m):
        return simple[m[1]].encode() if m[1] in simple else bytes([int(m[1], 8)])
    parts = re.split(r'(\\(?:[nrt"\'\\]|[0-7]{3}))', text)
    return b''.join(one(re.fullmatch(r'\\(.*)', p)) if p.startswith('\\') else p.encode() for p in parts).decode()


def first(message, name, default=0):
    return message.get(name, [default])[0]
