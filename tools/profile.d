#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "profile: the stacks of what uses CPUs, by sampling"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param u flag "only user stacks"
inline int u = 0;
#pragma tool param k flag "only kernel stacks"
inline int k = 0;
#pragma tool param r int "print only so many stacks; 0: all"
inline int r = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option jstackframes=100

BEGIN { setopt("aggrows", lltostr(r)); }

/* 97 and not 100 times a second: programs that wake up with the clock are not always in the same place */
profile-97 /pid && u == k && (!p || pid == p) && (n == "" || execname == n)/ { @[execname, stack(), jstack()] = count(); }
profile-97 /pid && u && !k && arg1 && (!p || pid == p) && (n == "" || execname == n)/ { @user[execname, jstack()] = count(); }
profile-97 /pid && k && !u && arg0 && (!p || pid == p) && (n == "" || execname == n)/ { @kernel[execname, stack()] = count(); }

tick-1s /d && ++ticks >= d/ { exit(0); }
