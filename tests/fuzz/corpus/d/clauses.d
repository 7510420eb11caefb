#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option strsize=64
/* comment */
dtrace:::BEGIN, fake:mod:func:entry, fake::o*:g? /arg0 / 2 > 1 && probefunc != "x"/ { trace(arg0 / 2); }
profile-97hz, tick-1sec { @[stack(), ustack(5), sym(arg0)] = count(); printa(@); clear(@); trunc(@, 5); }
fake:::entry { self->ts = timestamp; this->x = args[0]; printf("%d %s", args[0], copyinstr(arg1)); }
fake:::return /self->ts/ { @t[execname, pid] = quantize(timestamp - self->ts, 3); self->ts = 0; trace(errno); }
fake:::go { tracemem(arg0, 16); trace(*args[2]); trace(stringof(args[1])); normalize(@t, 10); denormalize(@t); exit(1); }
ERROR { printf("%d %d %x", arg1, arg4, arg5); setopt("quiet", "yes"); }
END { }
