/*
 * The preprocessor doesn't change the lines.
 * @args -x errtags -C
 * @needs cpp
 */
#define NAME nosuch

#ifdef NOT
BEGIN { trace(nosuch); }
#endif
BEGIN
{
	trace(NAME);
}
