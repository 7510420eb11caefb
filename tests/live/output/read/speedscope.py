# SPDX-License-Identifier: Apache-2.0
"""
Checks a file by the rules of https://www.speedscope.app/file-format-schema.json, and prints each
profile as folded stacks after its name: speedscope.py FILE.
"""
import json
import sys


def members(thing, needed, optional=()):
    assert set(needed) <= set(thing) <= set(needed) | set(optional), thing.keys()


def is_number(n):
    return isinstance(n, (int, float)) and not isinstance(n, bool)


file = json.load(open(sys.argv[1], encoding='utf-8'))
members(file, ['$schema', 'shared', 'profiles'], ['name', 'activeProfileIndex', 'exporter'])
assert file['$schema'] == 'https://www.speedscope.app/file-format-schema.json'
assert file['activeProfileIndex'] < len(file['profiles'])
members(file['shared'], ['frames'])
frames = file['shared']['frames']
for frame in frames:
    members(frame, ['name'], ['file', 'line', 'col'])
    assert all(isinstance(frame.get(k, ''), str) for k in ('name', 'file'))
    assert is_number(frame.get('line', 0))

for profile in file['profiles']:
    members(profile, ['type', 'name', 'unit', 'startValue', 'endValue', 'samples', 'weights'])
    assert profile['type'] == 'sampled' and profile['unit'] == 'none'
    assert len(profile['samples']) == len(profile['weights'])
    assert all(map(is_number, profile['weights']))
    # the viewer shows the sum of the weights next to this range
    assert profile['startValue'] == 0 and profile['endValue'] == sum(profile['weights'])
    print('==', profile['name'])
    lines = []
    for sample, weight in zip(profile['samples'], profile['weights']):
        names = [(f"{frames[i]['file']}`" if 'file' in frames[i] else '') + frames[i]['name'] for i in sample]
        lines.append(f"{';'.join(names) or '[no stack]'} {weight}")
    print(*sorted(lines), sep='\n')
