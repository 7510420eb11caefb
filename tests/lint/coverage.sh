#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each row of tests/reference.txt has a test, unless it is marked N, and each @ref line of the tests names a row.
cd "$SRCDIR" || exit 1
tests/coverage -c
