#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=disk": a full disk is reported, and nothing is lost without a message.
# @vm no: it does not depend on the kernel, and takes a minute there
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
CALLS=50000 SEED=$((RANDOM % 1000)) exec "$SRCDIR/tests/stress/load" disk
