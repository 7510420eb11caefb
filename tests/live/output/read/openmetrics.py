# SPDX-License-Identifier: Apache-2.0
"""
Reads metrics with the parser of the Prometheus project and compares them with the CSV output of the
same run: openmetrics.py METRICS CSV.  Prints "METRIC TYPE" for each.
"""
import csv
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

text = open(sys.argv[1], encoding='utf-8').read()
families = list(text_string_to_metric_families(text))
for family in families:
    print(family.name, family.type)

# name -> {keys: value or [(high, count)]}
want = {}
header = None
for row in csv.reader(open(sys.argv[2], newline='', encoding='utf-8')):
    if not row:
        header = None
    elif header is None:
        header = row
    elif header[-3:] == ['low', 'high', 'count']:
        low, high, count = map(int, row[-3:])
        want.setdefault(row[0], {}).setdefault(tuple(row[1:-3]), []).append((low, high, count))
    else:
        want.setdefault(row[0], {})[tuple(row[1:-1])] = int(row[-1])


def keys_of(sample):
    keys = []
    while f'key{len(keys) + 1}' in sample.labels:
        keys.append(sample.labels[f'key{len(keys) + 1}'])
    assert set(sample.labels) <= {f'key{i + 1}' for i in range(len(keys))} | {'le'}, sample
    return tuple(keys)


for family in families:
    name = family.documentation.split(':')[0][1:] or '_'
    rows = want.pop(name)
    got = {}
    for sample in family.samples:
        if family.type == 'histogram':
            assert sample.name == family.name + '_bucket'
            got.setdefault(keys_of(sample), {})[float(sample.labels['le'])] = sample.value
        else:
            assert sample.name == family.name + ('_total' if family.type == 'counter' else '')
            got[keys_of(sample)] = sample.value
    assert set(got) == set(rows), (name, got, rows)
    for keys, value in rows.items():
        if family.type != 'histogram':
            assert float(value) == float(got[keys]), (name, keys, value, got[keys])
            continue
        total = 0
        for low, high, count in value:
            if low > -2**63:
                assert got[keys][float(low - 1)] == total, (name, keys, low, got[keys])
            total += count
            if high < 2**63 - 1:
                assert got[keys][float(high)] == total, (name, keys, high, got[keys])
        assert got[keys][float('inf')] == total
assert not want, want
