/*
 * Probes fire in all threads of the process, those that it starts while it is traced too; each has its own
 * thread-local variables.
 * @ref providers 15 all-threads
 * @trigger work threads 100
 */
#pragma D option quiet

pid$target::thread:entry { self->n = arg0; self->seen = 0; @threads = count(); }
pid$target::add:entry
{
	self->seen++;
	@calls[arg0] = count();
	@wrong = sum(arg0 != self->n || arg1 != self->seen - 1);
}
pid$target::thread:return { @each[self->n] = max(self->seen); self->n = 0; }
END
{
	printa("thread %d: %@d calls, %@d at last\n", @calls, @each);
	printa("%@d threads, %@d wrong\n", @threads, @wrong);
}
