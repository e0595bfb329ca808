import { expect, test } from 'vitest';
import { createTemplateEngine } from '../../../src/lib/text-template/template-engine.ts';
import { TemplateError } from '../../../src/lib/text-template/template-error.ts';

// What people may write into a template, and what nobody can do with one.

const names = {
  person: { name: 'value', years: 'value' },
  items: [{ title: 'value', parts: [{ name: 'value' }] }],
  note: 'value',
} as const;
const data = {
  person: { name: 'Dana', years: 42 },
  items: Array.from({ length: 10 }, (_, index) => ({
    title: `T${index}`,
    parts: Array.from({ length: 30 }, () => ({ name: 'p' })),
  })),
  note: null,
};
const read = createTemplateEngine(
  { embed: (words) => `[${words}]`, fixed: (text) => text, filters: { list: () => 'listed' } },
  names,
);

function refusalOf(body: string): TemplateError {
  try {
    read(body).render(data);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`accepted: ${body.slice(0, 80)}`);
}

test('conditions, loops and the kept filters work, and every value goes through the dialect', () => {
  const body = `{% comment %} {{ unread {% endcomment %}
{%- if person.years > 40 and note == nil -%}{{ person.name }}{%- elsif note -%}no{%- else -%}no{%- endif -%}
{%- unless note %} none {% endunless -%}
{%- case person.years -%}{%- when 41, 42 -%}{{ person.years | plus: 1 | times: 2 | minus: 6 | divided_by: 3 | round }}{%- endcase -%}
{%- for item in items reversed limit: 2 offset: 1 %}{{ forloop.index }}{{ item.title }}{% for part in item.parts limit: 1 %}{{ part.name }}{% endfor %}{% else %}no{% endfor -%}
{{ note | default: "—" }}{{ items | list }}{{ items.size }}{% raw %}{{ person.name }}{% endraw %}`;
  const template = read(body.replace('{{ unread ', ''));
  expect(template.names).toEqual([
    'items',
    'items[].parts',
    'items[].parts[].name',
    'items[].title',
    'note',
    'person.name',
    'person.years',
  ]);
  expect(template.render(data)).toBe('[Dana] none [27][1][T2][p][2][T1][p][—][listed][10]{{ person.name }}');
});

test.each([
  ['{{ note | times: 2 }}', '[]'],
  ['{{ note | plus: 1 | round }}', '[]'],
  ['{{ note | divided_by: 7 | default: "—" }}', '[—]'],
  ['{{ person.years | minus: note }}', '[]'],
  ['{{ person.years | divided_by: 0 }}', '[]'],
  ['{{ person.years | divided_by: 0 | plus: 1 | default: "—" }}', '[—]'],
  ['{{ 0 | divided_by: 0 }}', '[]'],
  ['{{ 0 | plus: 0 }}', '[0]'],
  ['{{ person.years | divided_by: 5 | round: 1 }}', '[8.4]'],
])('a calculation with a missing number, or without a result, has no value: %s', (body, text) => {
  expect(read(body).render(data)).toBe(text);
});

test.each([
  // Prototypes, by every way to a name.
  ['{{ constructor }}', 'There is no placeholder constructor.'],
  ['{{ person.constructor }}', 'There is no placeholder person.constructor.'],
  ['{{ person.__proto__.polluted }}', 'There is no placeholder person.__proto__.polluted.'],
  ['{{ person["__proto__"] }}', 'There is no placeholder person["__proto__"].'],
  ['{{ "".constructor }}', 'There is no placeholder "".constructor.'],
  ['{{ person[note] }}', 'There is no placeholder person[note].'],
  ['{{ person.name.length }}', 'There is no placeholder person.name.length.'],
  ['{{ forloop.index }}', 'There is no placeholder forloop.index.'],
  ['{% for i in items %}{{ i.toString }}{% endfor %}', 'There is no placeholder i.toString.'],
  ['{% for i in items %}{% endfor %}{{ i.title }}', 'There is no placeholder i.title.'],
  ['{{ note | default: secret }}', 'There is no placeholder secret.'],
  ['{% if person.name contains secret %}{% endif %}', 'There is no placeholder secret.'],
  ['{% case note %}{% when secret %}{% endcase %}', 'There is no placeholder secret.'],
  // What may be missing has no name: no template fails for some answers only.
  ['{{ items[0].title }}', 'There is no placeholder items[0].title.'],
  ['{{ items.first.title }}', 'There is no placeholder items.first.title.'],
])('a name that does not exist is refused: %s', (body, message) => {
  expect(refusalOf(body)).toMatchObject({ kind: 'unknown_name', faults: [{ line: 1, message }] });
});

test.each([
  ...[
    'include "x"',
    'render "x"',
    'layout "x"',
    'block x',
    'assign a = 1',
    'capture a',
    'increment a',
    'cycle 1, 2',
  ]
    .concat([
      'tablerow i in items',
      'echo note',
      'liquid echo note',
      'break',
      'continue',
      '# hi',
      'constructor',
    ])
    .map((tag) => [`{% ${tag} %}`, `There is no tag ${tag.split(' ', 1)[0]}.`]),
  ...[
    'raw',
    'valueOf',
    'constructor',
    'map: "x"',
    'where: "x"',
    'join',
    'split: ","',
    'append: "x"',
    'json',
    'size',
  ]
    .concat([
      'replace: "a", "b"',
      'date: "%9999999d"',
      'strip_html',
      'sort',
      'concat: items',
      'slice: 0',
      'first',
    ])
    .map((filter) => [`{{ note | ${filter} }}`, `There is no filter ${filter.split(':', 1)[0]}.`]),
  ['{% for i in (1..100000000) %}{% endfor %}', 'Ranges of numbers are not supported.'],
  // Adding one to this number gives the same number: the engine's own loop over such a range has no end.
  ['{% for i in (9007199254740992..9007199254740994) %}{% endfor %}', 'Ranges of numbers are not supported.'],
  ['{{ (1..3) }}', 'Ranges of numbers are not supported.'],
  ['{{ items }}', 'items is a list: use for, the filter list, or .size.'],
  ['{% if items %}{% endif %}', 'items is a list: use for, the filter list, or .size.'],
  ['{{ person }}', 'person is a group: name a member.'],
  ['{% for i in person %}{% endfor %}', 'Only lists have a loop.'],
  [
    '{% for i in items limit: person.years %}{% endfor %}',
    'A loop has no options but limit, offset and reversed.',
  ],
  ['{{ person.name', 'What begins here is not closed.'],
  ['{% if note %}', 'What begins here is not closed.'],
  ['{{ person.name ! }}', 'The syntax is not understood.'],
  ['x'.repeat(20_001), 'The template has more than 20,000 characters.'],
])('what is not offered is refused: %s', (body, message) => {
  expect(refusalOf(body)).toMatchObject({ kind: 'invalid', faults: [{ line: 1, message }] });
});

test('line and column are those of the fault, and no more than twenty are listed', () => {
  const { faults } = refusalOf('Dear {{ person.name }},\n\n  {{ a.b }} and {{ c }}');
  expect(faults).toEqual([
    { line: 3, column: 6, message: 'There is no placeholder a.b.' },
    { line: 3, column: 20, message: 'There is no placeholder c.' },
  ]);
  expect(refusalOf('{{a}}'.repeat(4000)).faults).toHaveLength(20);
});

/** Loops over loops: 300 ^ depth rounds. */
const loops = (depth: number, body: string) =>
  '{%for i in items%}{%for p in i.parts%}'.repeat(depth) + body + '{%endfor%}'.repeat(depth * 2);

test.each([
  ['many values of a case', loops(3, `{%case 2%}{%when ${'1,'.repeat(9000)}1%}{%endcase%}`), /200 ms/],
  ['a long condition', loops(3, `{%if ${'false or '.repeat(2000)}false%}{%endif%}`), /200 ms/],
  ['long arithmetic', loops(3, `{{1${'|plus:1'.repeat(2200)}}}`), /200 ms|40000/],
  ['a long text', loops(2, 'x'.repeat(19_000)), 'The text has more than 40000 characters.'],
  ['nesting that is written', `${'{%if note%}'.repeat(22)}${'{%endif%}'.repeat(22)}`, /nested more than 20/],
  ['nesting that is not closed', '{%if 1%}'.repeat(2500), /nested too deep|not closed/],
  ['brackets in brackets', `{{${'a['.repeat(9900)}}}`, /nested too deep|not closed|not understood/],
])('no template keeps the thread much longer than its limit: %s', (_what, body, message) => {
  const timeOf = (tried: string) => {
    const startedAt = performance.now();
    const { faults } = refusalOf(tried);
    return { ms: performance.now() - startedAt, faults };
  };
  const limit = timeOf(loops(9, ''));
  expect(limit.faults[0]?.message).toBe('Rendering takes more than 200 ms.');
  const { ms, faults } = timeOf(body);
  // The time is checked between tags: the longest single one takes some 30 ms. The rest is for a busy machine.
  expect(ms / limit.ms).toBeLessThan(6);
  expect(faults[0]?.message).toMatch(message);
});

test('what was tried leaves nothing behind', () => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(read('{{ person.name }}').render(data)).toBe('[Dana]');
});
