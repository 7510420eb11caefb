/*
 * Nothing clause-local is an associative array.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { foreach (k in this->a) trace(k); }
