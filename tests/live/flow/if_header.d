/*
 * Not quiet: the actions that ran make one line, in the order of the program; where none ran there
 * is no line; a clause without actions has none at all.
 * @ref d-language 21 if else
 * @ref d-language 5.1 one-record
 * @ref d-language 5.4 nothing-recorded
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  N\1/'
 */
int zero;

BEGIN { trace("first"); if (1) trace(1); else trace(2); trace("last"); }
BEGIN { if (zero) trace("never"); }
BEGIN { if (zero) trace("never"); else zero = 0; }
BEGIN { if (zero) trace("never"); else trace("else"); }
BEGIN { if (1) n++; }
BEGIN { if (1) @a["counted"] = count(); }
BEGIN { if (zero) printf("never"); if (1) printf("printf"); if (1) { trace(2); trace(3); } }
BEGIN { if (zero) trace("never"); trace("after"); }
BEGIN { trace("before"); if (zero) trace("never"); }
BEGIN { if (1) { if (zero) trace("never"); else { if (1) trace("deep"); } } }
BEGIN { if (zero) exit(3); }
BEGIN { if (zero) trace("never"); exit(0); }
