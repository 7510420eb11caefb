/*
 * A # that begins no line.
 * @ref d-language 1.1
 * @args -x errtags
 * @ref d-language 1.1; d-errors 2.1 D_SYNTAX */
BEGIN { trace(1 # 2); }
