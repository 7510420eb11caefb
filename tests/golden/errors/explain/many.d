/*
 * At most ten are shown.
 * @args -x explain
 */
tick-1 { trace( }
tick-2 { trace( }
tick-3 { trace( }
tick-4 { trace( }
tick-5 { trace( }
tick-6 { trace( }
tick-7 { trace( }
tick-8 { trace( }
tick-9 { trace( }
tick-10 { trace( }
tick-11 { trace( }
tick-12 { trace( }
tick-13 { trace( }
