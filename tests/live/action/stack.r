BEGIN
empty
one
              vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
two
              vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
              vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
all
              vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
              vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
...
              vmlinux`entry_SYSCALL_64_after_hwframe\+0x[0-9a-f]+
indent
  vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?

  vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?

vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?

    vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
    vmlinux`[a-zA-Z0-9_.]+(\+0x[0-9a-f]+)?
done

