/* A translator has the version of the pragma before it: an older D does not know it.
 * @args -x errtags -x version=1.2
 * @ref d-errors 2.6 D_XLATE_NONE; d-language 18 binding */
struct in { int i; };
struct old { int o; };
struct new { int n; };
#pragma D binding "1.0" translator
translator struct old < struct in *I > { o = I->i; };
#pragma D binding "1.5" translator
translator struct new < struct in *I > { n = I->i; };

BEGIN
{
	this->in = (struct in *)alloca(sizeof (struct in));
	trace(xlate <struct old>(this->in).o);
	trace(xlate <struct new>(this->in).n);
}
