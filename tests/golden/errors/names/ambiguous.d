/*
 * An enumerator that is the name of a variable too.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_AMBIG; d-language 7.4 ambiguous */
int HRTIMER_RESTART;

BEGIN
{
	this->e = (enum hrtimer_restart)1;
	trace(this->e == HRTIMER_RESTART);
}
