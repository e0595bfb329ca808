import { expect, test } from 'vitest';
import { createMeters } from '../../../src/lib/telemetry/meters.ts';
import { prometheusText } from '../../../src/lib/telemetry/prometheus.ts';

test('attributes in any order are one series', async () => {
  const meters = createMeters();
  const counter = meters.getMeter('test').createCounter('n');
  counter.add(1, { a: 'x', b: 'y' });
  counter.add(1, { b: 'y', a: 'x' });
  const [metric] = await meters.collect();
  expect(metric?.dataPoints.map(({ value }) => value)).toEqual([2]);
});

test('an attribute with endlessly many values does not fill the memory', async () => {
  const meters = createMeters();
  const counter = meters.getMeter('test').createCounter('n');
  for (let i = 0; i < 5000; i++) counter.add(1, { id: i });
  const [metric] = await meters.collect();
  const values = metric?.dataPoints.map(({ value }) => Number(value)) ?? [];
  expect(values.length).toBeLessThanOrEqual(2001);
  expect(values.reduce((sum, value) => sum + value, 0)).toBe(5000);
});

test('what is observed is asked for when it is read', async () => {
  const meters = createMeters();
  let level = 1;
  meters
    .getMeter('test')
    .createObservableGauge('level')
    .addCallback((result) => result.observe(level));
  level = 7;
  const [metric] = await meters.collect();
  expect(metric?.dataPoints[0]?.value).toBe(7);
});

test('a histogram as Prometheus reads it: buckets add up, labels are escaped', async () => {
  const meters = createMeters();
  const histogram = meters
    .getMeter('test')
    .createHistogram('a.duration', { unit: 'ms', description: 'How long' });
  for (const ms of [3, 5, 700, 99_999]) histogram.record(ms, { code: 'a"b\\c\nd' });
  const lines = prometheusText(await meters.collect()).split('\n');
  const label = String.raw`code="a\"b\\c\nd"`;
  expect(lines).toContain('# TYPE a_duration_milliseconds histogram');
  expect(lines).toContain(`a_duration_milliseconds_bucket{${label},le="5"} 2`);
  expect(lines).toContain(`a_duration_milliseconds_bucket{${label},le="750"} 3`);
  expect(lines).toContain(`a_duration_milliseconds_bucket{${label},le="+Inf"} 4`);
  expect(lines).toContain(`a_duration_milliseconds_count{${label}} 4`);
});
