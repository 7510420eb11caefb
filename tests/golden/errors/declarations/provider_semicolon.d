/*
 * A provider ends in a ;.
 * @ref d-language 23
 * @args -x errtags
 * @ref d-language 23; d-errors 2.1 D_SYNTAX */
provider p { probe x(int); }
BEGIN { trace(1); }
