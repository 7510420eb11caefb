/*
 * What a clause or declaration with an error would have defined is not reported again.
 * @args -x explain
 * @ref d-errors 1.1
 */
struct point { int x; int y[-1]; };
inline int limit = nosuch1;
int table[-1];

BEGIN
{
	size = nosuch2;
	self->start = 1;
	@total = count();
	seen["a"] = 1;
}

tick-1
/size > limit/
{
	trace(1);
}

tick-2 { trace(((struct point *)arg0)->x); }
tick-3 { clear(@total); }
tick-4 { trace(self->start); }
tick-5 { trace(seen["a"]); }
tick-6 { trace(table[0]); }
tick-7 { trace(nosuch3); }
tick-8 { trace(nosuch3); }
