/*
 * Variables, built-in ones and of the program, also of another scope.
 * @args -x explain
 * @ref d-errors 2.9
 */
BEGIN { count_of = 1; self->start = 1; this->local = 1; @total = count(); }
tick-1 { trace(exename); }
tick-2 { trace(countof); }
tick-3 { trace(self->strat); }
tick-4 { trace(start); }
tick-5 { trace(this->lcal); }
tick-6 { trace(total); }
tick-7 { clear(@totl); }
