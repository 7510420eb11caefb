#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @alone
# @timeout 120
# @needs qemu-x86_64-static
# A program under QEMU's user mode, which makes code of its own of what it reads: a breakpoint there would become a trap.
set -u
. "${0%/*}/copied.inc"

translated QEMU qemu-x86_64-static
finish
