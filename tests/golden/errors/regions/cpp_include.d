/*
 * An error in an included file has its name.
 * @args -x errtags -C -I "$DIR/include"
 * @needs cpp
 * @filter 's|"/.+/|"|'
 */
#include "broken.inc"

BEGIN { trace(1); }
