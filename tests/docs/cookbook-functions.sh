#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What docs/cookbook.md says of the kernel's functions, as cookbook.sh does it.
# @needs kprobe
# @timeout 120
# @ref providers 4 flow many
exec "${0%-functions.sh}.sh" -k
