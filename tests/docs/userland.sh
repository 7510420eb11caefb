#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @alone
# Runs the commands of docs/userland.md and compares their output: see cookbook.sh.  -p [TEXT] prints the current output.
# @timeout 240
# @vm no: it is about programs of this machine
# @ref providers 15; providers 16.3; output 6
set -u
# If PostgreSQL is installed, starts a server for pgbench; otherwise the blocks that need it are skipped.
skip() { echo "left out: $1"; }
start_server() {
	. "$SRCDIR/tests/live/real/postgres.lib"
	export PGHOST=/mnt PGUSER=postgres PGDATABASE=postgres PATH=$bin:$PATH
	"$bin/pgbench" -i -q postgres >pgbench.log 2>&1 || { cat pgbench.log; exit 1; }
}
postgres=$(find /usr/lib/postgresql/*/bin /usr/bin /usr/pgsql*/bin -maxdepth 1 -name pgbench 2>/dev/null | sort -V | tail -n 1)
[[ -z $postgres || $(id -u) != 0 ]] || start_server "$@"
COOKBOOK=1 PAGE=userland.md QUESTIONS=4 "${0%/*}/cookbook.sh" "$@"
