/*
 * pid and syscall probes meet in a thread: which sizes given to malloc(3) end in mmap(2).
 * @ref providers 15 entry-args return-each-call
 * @args -q
 * @trigger memory malloc 5 3
 */
pid$target::malloc:entry { self->size = arg0; }
syscall::mmap:entry /self->size/ { @["mapped"] = quantize(self->size); self->size = 0; }
pid$target::malloc:return /self->size/ { @["no map"] = quantize(self->size); self->size = 0; }
