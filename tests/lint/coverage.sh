#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/COVERAGE.md is what the @ref lines of the tests make it, and each of them names a row of tests/reference.txt.
# Rows without a test are counted, not refused.
cd "$SRCDIR" || exit 1
tests/coverage -c
