#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pcap(): a packet as a dump, into a capture file after freopen(), at most pcapsize bytes of it; no packet, nothing.
# @ref d-builtins 4 pcap
# @ref output 15 pcap-file pcap-dump pcapsize
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# a packet made by hand: 20 bytes, the last four of them 0
program='
	this->s = (struct sk_buff *)alloca(sizeof(struct sk_buff));
	this->b = (uint64_t *)alloca(24);
	this->b[0] = 0x0001020304050607;
	this->b[1] = 0x4142434445464748;
	this->b[2] = 0;
	this->s->head = (unsigned char *)this->b;
	this->s->data = (unsigned char *)this->b;
	this->s->len = 20;
	this->s->data_len = 0;
	pcap(this->s, 12);'
header='             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef'

# without tshark
mkdir bin
try env PATH="$PWD/bin" "$DTRACE" -q -x scratchsize=2k -n "BEGIN { $program exit(0); }"
expect_status 0
expect_err ""
expect_out "
$header
         0: 07 06 05 04 03 02 01 00 48 47 46 45 44 43 42 41  ........HGFEDCBA
        10: 00 00 00 00                                      ....

"
try env PATH="$PWD/bin" "$DTRACE" -q -x scratchsize=2k -x pcapsize=8 -n "BEGIN { $program exit(0); }"
expect_out "
$header
         0: 07 06 05 04 03 02 01 00                          ........

"
try "$DTRACE" -qn 'BEGIN { pcap((struct sk_buff *)NULL, 12); printf("nothing\n"); exit(0); }'
expect_status 0
expect_err ""
expect_out $'nothing\n\n'

# a file: the header of captures, raw IP; two packets of 20 bytes
try "$DTRACE" -wq -x scratchsize=2k -n "BEGIN { freopen(\"cap\"); $program } BEGIN { $program freopen(\"\"); exit(0); }"
expect_status 0
words() { od -A n -t u4 -v -j "$1" -N "$2" cap | tr -s ' \n' ' '; }
expect_text magic "$(words 0 4)" ' 2712847316 '
expect_text 'link type' "$(words 20 4)" ' 101 '
for at in 24 60; do
	expect_text "sizes at $at" "$(words $((at + 8)) 8)" ' 20 20 '
	expect_text "bytes at $at" "$(od -A n -t x1 -v -j $((at + 16)) -N 20 cap | tr -d ' \n')" \
		0706050403020100484746454443424100000000
done
finish
