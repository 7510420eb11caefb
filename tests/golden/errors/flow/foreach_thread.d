/*
 * Arrays of threads cannot be gone over.
 * @args -x errtags
 */
BEGIN { self->x[1] = 1; foreach (k in self->x) trace(k); }
