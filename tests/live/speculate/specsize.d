/*
 * A record that would take its speculation beyond specsize is dropped, alone, and counted; each speculation has its own
 * room.
 * @ref d-language 17.2 specsize
 * @ref output 12 over-limit; output 13 speculative
 * @ref d-errors 5 speculative
 * @ref options 3 specsize; options 5.4 specsize-drops
 * @args -x specsize=400 -x nspec=2
 * @stderr
 */
#pragma D option quiet

unsigned char block[300];

BEGIN { a = speculation(); b = speculation(); block[0] = 'x'; }
BEGIN { speculate(a); printf("small "); }
BEGIN { speculate(a); trace(block); }
BEGIN { speculate(a); trace(block); }
BEGIN { speculate(b); trace(block); }
BEGIN { speculate(a); printf("small again\n"); }
BEGIN { speculate(b); printf("b\n"); }
BEGIN { discard(b); }
BEGIN { commit(a); }
BEGIN { exit(0); }
