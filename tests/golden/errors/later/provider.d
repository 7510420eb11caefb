/*
 * Provider declarations.
 * @args -x errtags
 */
provider p { probe x(int); };

BEGIN { trace(1); }
