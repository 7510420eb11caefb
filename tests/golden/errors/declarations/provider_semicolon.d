/*
 * A provider ends in a ;.
 * @ref d-language 23
 * @args -x errtags
 */
provider p { probe x(int); }
BEGIN { trace(1); }
