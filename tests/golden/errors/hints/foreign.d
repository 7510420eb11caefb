/*
 * What other tracers call it.
 * @args -x explain
 */
BEGIN { trace(comm); }
tick-1 { trace(nsecs); }
tick-2 { hist(1); }
tick-3 { trace(str(arg0)); }
