/*
 * A word after -i that is no number is a probe name.
 * @args -x errtags -i nonsense
 * @ref d-errors 2.2 D_PDESC_ZERO */
BEGIN { trace(1); }
