#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/usdt.md and compares their output: see tour.sh.
# @timeout 120
# @vm no: it is about compilers
command -v gcc >/dev/null && command -v readelf >/dev/null || { echo "no gcc"; exit 77; }
PAGE=usdt.md exec "${0%/*}/tour.sh" "$@"
