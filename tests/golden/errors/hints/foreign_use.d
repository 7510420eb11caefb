/*
 * Variables, aggregations, arguments and calls as other tracers write them.
 * @args -x explain
 */
syscall::openat:entry { trace(args->filename); }
syscall::openat:entry { trace(args.filename); }
BEGIN { @x = timestamp; }
BEGIN { @[ustack] = count(); }
BEGIN { exit(); }
BEGIN { trace(kstack); }
BEGIN { @y = lhist(5, 0, 10, 1); }
BEGIN { @z = hist(5); }
BEGIN { @n++; }
