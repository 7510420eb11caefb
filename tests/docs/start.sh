#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/start.md and compares their output: see cookbook.sh.  -p [TEXT] prints the current output.
# @timeout 120
# @vm no: it is about programs of this machine
PAGE=start.md QUESTIONS=0 exec "${0%/*}/cookbook.sh" "$@"
