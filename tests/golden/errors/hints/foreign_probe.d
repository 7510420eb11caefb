/*
 * Probes as other tracers call them: the description in D.
 * @args -x explain
 */
kprobe:vfs_read { }
kretprobe:vfs_read { }
kprobe:ext4:ext4_sync_file { }
fentry:vfs_read { }
fexit:vfs_read { }
tracepoint:sched:sched_switch { }
tracepoint:syscalls:sys_enter_openat { }
tracepoint:syscalls:sys_exit_openat { }
t:sched:sched_wakeup { }
rawtracepoint:sched_switch { }
