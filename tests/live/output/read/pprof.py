# SPDX-License-Identifier: Apache-2.0
"""
Checks what protoc decoded from a profile, as pprof does when it reads one, and prints it as folded
stacks: pprof.py TYPE <TEXT prints the values of sample type TYPE; without TYPE it prints the types.
"""
import sys

from protobuf_text import first, read

profile = read(sys.stdin)
strings = profile['string_table']
assert strings[0] == '', strings[0]
assert len(strings) == len(set(strings)), 'a string is there twice'


def text(message, name):
    return strings[first(message, name)]


def by_id(name):
    table = {m['id'][0]: m for m in profile.get(name, [])}
    assert 0 not in table and len(table) == len(profile.get(name, [])), name
    return table


mappings, locations, functions = by_id('mapping'), by_id('location'), by_id('function')
types = [(text(t, 'type'), text(t, 'unit')) for t in profile['sample_type']]
assert len(types) == len(set(types)), types
assert strings[first(profile, 'default_sample_type')] == types[0][0]
assert first(profile, 'time_nanos') > 1600000000 * 10**9 and first(profile, 'duration_nanos') > 0
assert text(profile['period_type'][0], 'type') == types[0][0] and first(profile, 'period') == 1


def frame(id):
    location = locations[id]
    line = location['line'][0]
    function = functions[line['function_id'][0]]
    mapping = mappings.get(first(location, 'mapping_id'))
    place = f"{text(mapping, 'filename')}`" if mapping else ''
    source = f" ({text(function, 'filename')}:{first(line, 'line')})" if first(line, 'line') else ''
    return place + text(function, 'name') + source


def label(l):
    # a number has a unit: pprof takes 0 without one for a number that is missing
    assert ('num' in l) <= ('num_unit' in l) <= ('str' not in l), l
    return str(first(l, 'num')) if 'num_unit' in l else text(l, 'str')


seen = set()
lines = []
for sample in profile.get('sample', []):
    assert len(sample['value']) == len(types)
    keys = [text(l, 'key') for l in sample.get('label', [])]
    assert keys == sorted(set(keys)), keys
    stack = [label(l) for l in sample.get('label', [])] + [frame(i) for i in reversed(sample.get('location_id', []))]
    assert tuple(stack) not in seen
    seen.add(tuple(stack))
    lines.append((';'.join(stack) or '[no stack]', sample['value']))

if len(sys.argv) == 1:
    for t in types:
        print(*t)
else:
    column = [t[0] for t in types].index(sys.argv[1])
    for stack, values in sorted(lines):
        print(stack, values[column])
