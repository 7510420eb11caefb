/*
 * The preprocessor doesn't change the lines.
 * @args -x errtags -C
 * @needs cpp
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 1.2 linemarkers */
#define NAME nosuch

#ifdef NOT
BEGIN { trace(nosuch); }
#endif
BEGIN
{
	trace(NAME);
}
