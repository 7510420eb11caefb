#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""service.py DEVICE: answers imaginary orders, each with a write to the block device that has to reach it."""
import mmap
import os
import sys
import time


def commit(disk, block, number):
    block[0:8] = number.to_bytes(8, 'little')
    os.pwritev(disk, [block], number % 256 * 4096)


def store_order(disk, block, number):
    commit(disk, block, number)


def handle_order(disk, block, number):
    sum(range(2000))
    store_order(disk, block, number)


def main():
    disk = os.open(sys.argv[1], os.O_WRONLY | os.O_DIRECT)
    block = mmap.mmap(-1, 4096)
    for number in range(1 << 62):
        handle_order(disk, block, number)
        time.sleep(0.02)


main()
