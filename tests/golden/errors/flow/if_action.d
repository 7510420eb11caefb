/*
 * A condition is no action.
 * @args -x errtags
 * @ref d-language 21 if
 */
BEGIN { if (trace(1)) n++; }
