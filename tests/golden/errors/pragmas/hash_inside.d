/*
 * A # that begins no line.
 * @ref d-language 1.1
 * @args -x errtags
 */
BEGIN { trace(1 # 2); }
