/* The pragma is of a translator, and there is none after it.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_UNUSED; d-language 18 binding */
struct in { int i; };
struct out { int o; };
translator struct out < struct in *I > { o = I->i; };
#pragma D binding "1.5" translator
BEGIN { trace(1); }
