#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Option oformat: a document in place of the text, also with -o; text changes nothing.
# @vm no: the text of messages and output, the kernel has no part in it
# @ref output 17 document pretty value message symbols aggregation-scalar xml html text
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

mask() {
	sed -E 's/("timestamp":|"timestamp": |<timestamp>|"timestamp">)1[0-9]{18}/\1T/g
		s/("cpu":|"cpu": |<cpu>|"cpu">)[0-9]+/\1C/g'
}

program='BEGIN { trace(1); printf("%s <%d>\n", "caf\xc3\xa9", 2); @a["k", 3] = count(); umod(0x10); exit(0); }'
for format in json json,pretty xml html; do
	echo "== $format"
	"$DTRACE" -x oformat="$format" -qn "$program" | mask
done
echo "== text"
"$DTRACE" -x oformat=text -qn "$program"
echo "== beside others, by -o, with system()"
"$DTRACE" -x oformat=json -o doc.json --output=csv:out.csv -qwn 'BEGIN { @ = sum(5); system("echo from the shell"); exit(0); }'
mask <doc.json
cat out.csv
if command -v python3 >/dev/null; then
	"$DTRACE" -x oformat=xml -qn 'BEGIN { trace("\x01\xff<&\"\r\n"); stack(); exit(0); }' >doc.xml
	"$DTRACE" -x oformat=json,pretty -qn 'BEGIN { trace("\x01\xff<&\"\r\n"); stack(); exit(0); }' >doc.json
	python3 -c '
import json, xml.etree.ElementTree as tree
want = "\uef01\uefff<&\"\r\n"
assert tree.parse("doc.xml").findtext("probes/output/value") == want
assert json.load(open("doc.json"))["dtrace"]["probes"][0]["output"][0]["value"] == want.replace("\uef01", "\x01")'
fi
