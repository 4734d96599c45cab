import { expect, it } from 'vitest';
import { vectorsIn } from './embeddings-answer.ts';

it('reads one vector for each text, in the order of the texts', () => {
  const data = [
    { index: 1, embedding: [3, 4] },
    { index: 0, embedding: [1, 2], object: 'embedding' },
  ];
  expect(vectorsIn(JSON.stringify({ data }), 2)).toEqual([Float32Array.of(1, 2), Float32Array.of(3, 4)]);
});

it('uses their order if no index is given', () => {
  expect(vectorsIn('{"data":[{"embedding":[1]},{"embedding":[2]}]}', 2)).toEqual([
    Float32Array.of(1),
    Float32Array.of(2),
  ]);
});

it.each([
  ['no JSON', '<html>hello</html>'],
  ['half of it', '{"data": [{"index": 0, "embedding": [1, 2'],
  ['other JSON', '{"data": "none"}'],
  ['too few', '{"data": [{"index": 0, "embedding": [1]}]}'],
  ['no numbers', '{"data": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": ["b"]}]}'],
  ['nothing in them', '{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}'],
  ['zeros', '{"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 1]}]}'],
  ['more than a float holds', '{"data": [{"index": 0, "embedding": [1e300]}, {"index": 1, "embedding": [1]}]}'],
  ['different lengths', '{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}'],
  ['one index twice', '{"data": [{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}]}'],
  ['an index too far', '{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}'],
])('refuses %s', (_, answer) => {
  expect(vectorsIn(answer, 2)).toBeUndefined();
});
