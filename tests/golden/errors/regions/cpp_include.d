/*
 * An error in an included file has its name.
 * @args -x errtags -C -I "$DIR/include"
 * @needs cpp
 * @filter 's|"/.+/|"|'
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 1.2 linemarkers; d-errors 1.1 file */
#include "broken.inc"

BEGIN { trace(1); }
