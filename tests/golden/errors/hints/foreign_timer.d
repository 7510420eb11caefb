/*
 * Timers and counters as other tracers call them; the last one is none that D has.
 * @args -x explain
 */
interval:s:1 { }
interval:ms:100 { }
interval:1s { }
profile:hz:99 { }
profile:ms:10 { }
software:page-faults:100 { }
interval:often:now { }
