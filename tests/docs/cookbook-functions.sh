#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/cookbook.md that trace kernel functions: cookbook.sh -k.
# @needs kprobe
# @timeout 120
# @ref providers 4 flow many
exec "${0%-functions.sh}.sh" -k
