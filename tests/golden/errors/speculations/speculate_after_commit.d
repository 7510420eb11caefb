/*
 * speculate( ) after commit( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_SPEC_COMM; d-language 17.1 after-commit */
BEGIN { commit(1); speculate(1); }
