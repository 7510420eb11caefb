/*
 * The index of uregs[ ] is not negative.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_REGS_IDX */
BEGIN { trace(uregs[-1]); }
