/*
 * A part of a key that is cleared and then written, with nothing in between that can read it, is written once.
 * @only body
 */
profile-97 { @ = quantize(cpu); }
