/*
 * A library that the process loads while it is traced, is done with and loads again: its probes come then, with their
 * names in conditions, keys and text as those of others have them. Its name is libz.so.1, libz too.
 * In some versions compressBound() ends in a jump to compressBound_z().
 * @ref providers 15 late-modules absent-module short-name row-shows-real-name
 * @timeout 60
 * @trigger work add 1 library 3 add 2 library 2 add 3
 * @filter 's/libz\.so\.1[0-9.]+/libz.so.1/'
 */
#pragma D option quiet
#pragma D option zdefs

pid$target:a.out:add:entry { printf("%s %d\n", probefunc, arg0); }
pid$target:libz:compressBound:entry { printf("%s:%s:%s %d\n", probemod, probefunc, probename, arg0); }
pid$target:libz.so.1:compressB*d:return { printf("%s %s\n", probefunc, probename); }
pid$target:libz*:compressBound: /probename == "entry" && probefunc == "compressBound" && arg0 == 2/ { @two = count(); }
pid$target:libz:*Bound:entry, pid$target:a.out:add:entry { @names[probeprov == strjoin("pid", lltostr($target)), probefunc] = count(); }
pid$target:libz:compressBound:entry /probefunc != "compressBound" || strlen(probemod) < 7/ { printf("wrong"); }
pid$target:nosuch:compressBound:entry { printf("never"); }
END { printa("%d %s %@d\n", @names); printa("%@d\n", @two); }
