/*
 * Functions of a near name, and those without their parentheses.
 * @args -x explain
 * @ref d-errors 2.3
 */
BEGIN { prinft("x"); }
tick-1 { trace(strlen); }
tick-2 { pid(); }
tick-3 { trace(copyinstring(arg0)); }
