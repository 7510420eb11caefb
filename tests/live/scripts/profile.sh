#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Who uses the processor: profile by execname, of the target alone, ten at most, after a time.
# @ref output 8.3 trunc-largest clear-keeps-keys
# @ref cli 1.2 operands
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >hot.d <<END
#!$DTRACE -qs
profile-997 /pid == \$target && arg1/ { @user[execname] = count(); }
profile-997 /pid == \$target && !arg1/ { @kernel[execname] = count(); }
tick-100ms /++n == \$1/ { exit(0); }
END { trunc(@user, 10); printa("%-16s %@u in user\n", @user); clear(@kernel); }
END
chmod +x hot.d
./hot.d -c "$BUILD/tests/live/triggers/busy user 20000" 4 >out.txt 2>err.txt || { echo "status $?: $(<err.txt)"; exit 1; }
[[ $(grep -cE '^busy             [0-9]+ in user$' out.txt) == 1 ]] || { cat out.txt; exit 1; }
! grep -qvE '^(busy             [0-9]+ in user|  busy +0|)$' out.txt || { cat out.txt; exit 1; }
