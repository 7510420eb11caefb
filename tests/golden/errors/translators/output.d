/*
 * What a translator makes is a struct or union.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_SOU; d-language 16.1 output-struct */
translator int < int i > { };
