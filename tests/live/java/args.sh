#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Arguments and values of Java methods: numbers, booleans, strings and identities, as argN and typed.
. "$SRCDIR/tests/live/java/java.inc"
start_vm java -cp .
trace 'java$target:Calls:add?int?int?:entry /args[0] == 3/ { printf("add %d %d %d\n", arg0, args[0], args[1]); }
java$target:Calls:add?long?int?:return /args[1] == 5/ { printf("sum %d by exception %d\n", args[1], args[0]); }
java$target:Calls:greet:entry { printf("greet %s %d\n", copyinstr(arg0), args[1]); who = arg2; }
java$target:Calls:greet:return { printf("%s\n", copyinstr(arg1)); }
java$target:Calls:keep:entry { printf("same %d\n", who && who == arg1); }
java$target:Calls:half:entry /arg0 == 0x4010000000000000 && arg1 == 0x3f800000/ { printf("half of 4.0 and 1.0\n"); }'
calls 5
finish
expect "add 3 3 1"
expect "sum 5 by exception 0"
expect "greet world1 1"
expect "HELLO world1"
expect "hello world2"
expect "same 1"
expect "half of 4.0 and 1.0"
exit 0
