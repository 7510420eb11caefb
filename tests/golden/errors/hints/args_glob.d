/*
 * Many probes with arguments of different types: argN has none.
 * @args -x explain
 */
sched::: { trace(args[6]); }
