/*
 * The index of uregs[ ] is not negative.
 * @args -x errtags
 * @ref d-errors 2.6
 */
BEGIN { trace(uregs[-1]); }
