#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program that uses a CPU in several ways, for the flame graph in the README: busy.py SECONDS"""
import hashlib
import json
import re
import sys
import time
import zlib

ORDERS = [{"id": i, "customer": f"c{i % 97}", "lines": [{"sku": f"s{i * k % 1000}", "n": k} for k in range(20)]} for i in range(200)]


def encode():
    return json.dumps(ORDERS)


def decode(text):
    return json.loads(text)


def compress(text):
    return zlib.compress(text.encode(), 6)


def find(text):
    return re.findall(r'"sku": "s(\d+)", "n": 1\d', text)


def rank(orders):
    return sorted(orders, key=lambda order: hashlib.sha256(order["customer"].encode()).digest())


def main():
    end = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 60)
    while time.monotonic() < end:
        text = encode()
        rank(decode(text))
        compress(text)
        find(text)


main()
