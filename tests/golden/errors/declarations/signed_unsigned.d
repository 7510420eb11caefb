/*
 * signed and unsigned together.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_COMBO; d-language 7.1 combination */
signed unsigned x;

BEGIN { trace(1); }
