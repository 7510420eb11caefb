/*
 * What a translator makes is a struct or union.
 * @args -x errtags
 * @ref d-errors 2.6
 */
translator int < int i > { };
