/*
 * Nothing clause-local is an associative array.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 21; d-errors 2.1 D_SYNTAX */
BEGIN { foreach (k in this->a) trace(k); }
