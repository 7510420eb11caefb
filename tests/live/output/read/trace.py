# SPDX-License-Identifier: Apache-2.0
"""
Checks what protoc decoded from a trace, and prints its events in the order of their times, one a
line: TRACK, begin, end or instant, NAME, and the annotations.  Slices of a track must nest.
"""
import sys

from protobuf_text import first, read

packets = read(sys.stdin)['packet']
tracks, events, processes = {}, [], {}
assert first(packets[0], 'sequence_flags') == 1
clocks = {c['clock_id'][0]: c['timestamp'][0] for c in packets[0]['clock_snapshot'][0]['clocks']}
assert set(clocks) == {1, 3, 6}, clocks

for packet in packets:
    assert packet['trusted_packet_sequence_id'] == [1]
    for track in packet.get('track_descriptor', []):
        uuid = track['uuid'][0]
        assert uuid
        if 'process' in track:
            assert uuid not in tracks
            processes[first(track['process'][0], 'pid')] = first(track['process'][0], 'process_name')
        elif 'thread' in track:
            thread = track['thread'][0]
            assert thread['pid'][0] in processes
            tracks[uuid] = f"{thread['thread_name'][0]}/{thread['pid'][0]}/{thread['tid'][0]}"
        else:
            tracks[uuid] = track['name'][0]
    for event in packet.get('track_event', []):
        assert event['track_uuid'][0] in tracks, 'an event comes before its track'
        assert packet['timestamp_clock_id'] == [1]
        # a day is enough for a trace
        assert abs(packet['timestamp'][0] - clocks[1]) < 86400 * 10**9, packet['timestamp']
        events.append((packet['timestamp'][0], event))


def value(annotation):
    entries = annotation.get('dict_entries')
    if entries:
        return '{' + ', '.join(f"{first(e, 'name')}={value(e)}" for e in entries) + '}'
    values = [annotation[k][0] for k in annotation if k.endswith('_value')]
    assert len(values) <= 1, annotation
    return repr(values[0]) if values else '{}'


events.sort(key=lambda e: e[0])
open_slices = {}
for time, event in events:
    kind = first(event, 'type')[len('TYPE_'):].lower().replace('slice_', '')
    track = tracks[event['track_uuid'][0]]
    name = first(event, 'name', '')
    if kind == 'begin':
        open_slices.setdefault(track, []).append(name)
    elif kind == 'end':
        assert not name
        name = open_slices[track].pop()
    annotations = event.get('debug_annotations', [])
    names = [first(a, 'name') for a in annotations]
    assert len(names) == len(set(names)), names
    print(track, kind, name, *[f"{first(a, 'name')}={value(a)}" for a in annotations
                               if first(a, 'name') not in ('cpu',)], sep='\t')
for track, names in open_slices.items():
    for name in names:
        print(track, 'open', name, sep='\t')
