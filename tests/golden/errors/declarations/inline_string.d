/*
 * An inline whose value has another type.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 13 incompatible */
inline int x = "a";

BEGIN { trace(1); }
