import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

/** Of the size that the renderer names. It underestimates digits and thin letters, which notes and labels are full of. */
const SCALE = 0.92;
const SMALLER: Readonly<Record<string, number>> = { note: 0.87, 'edge-label': 0.87 };
/** The name of a message stands on top of lines, so it needs a background; in units of the picture. */
const BACKGROUND = { beside: 2, above: 9, below: 3 };

const load = (file: string) => {
  const path = fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${file}`));
  const font = create(readFileSync(path));
  if (font.type !== 'TTF') throw new Error(`${path} is no TrueType font.`);
  return font;
};
const fonts = {
  r: load('400Regular/NotoSans_400Regular.ttf'),
  b: load('700Bold/NotoSans_700Bold.ttf'),
};

/**
 * Replaces each `<text>` of a diagram by the outlines of its letters, which look the same to every reader, whatever fonts
 * there are. A letter is drawn once, in `<defs>`, and used wherever it occurs. The words stand in `<desc>`.
 *
 * @throws when the font has no such letter.
 */
export function outlineText(svg: string, title: string): string {
  const letters = new Map<string, string>();
  const words: string[] = [];
  let group = '';

  const outline = (text: string, weight: keyof typeof fonts) => {
    const { glyphs, positions } = fonts[weight].layout(decode(text));
    const uses: string[] = [];
    let width = 0;
    for (const [index, { id, path }] of glyphs.entries()) {
      if (id === 0) throw new Error(`Noto Sans cannot draw a letter of "${text}".`);
      const drawing = path.toSVG();
      if (drawing !== '') {
        letters.set(`${weight}${id}`, drawing);
        uses.push(`<use href="#${weight}${id}" x="${width}"/>`);
      }
      width += positions[index]?.xAdvance ?? 0;
    }
    return { uses: uses.join(''), width };
  };

  const drawn = svg.replaceAll(
    /<g class="([\w-]+)"|<text ([^>]*)>(.*?)<\/text>/gs,
    (found: string, opened?: string, attributes = '', content = '') => {
      if (opened !== undefined) group = opened;
      if (attributes === '') return found;
      const value = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
      const number = (name: string) => Number(value(name) ?? 0);
      const weight = number('font-weight') >= 600 ? 'b' : 'r';
      const scale = (number('font-size') * (SMALLER[group] ?? SCALE)) / fonts[weight].unitsPerEm;
      const lines = linesOf(content, number('x'), number('y') + number('dy'));
      words.push(lines.map(({ text }) => text).join(' '));
      const outlines = lines.map(({ text, x, y }) => {
        const { uses, width } = outline(text, weight);
        const length = width * scale;
        const left = value('text-anchor') === 'middle' ? x - length / 2 : x;
        const behind = group === 'message' ? background(left, y, length) : '';
        return `${behind}<g transform="translate(${left.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(5)} -${scale.toFixed(5)})">${uses}</g>`;
      });
      return `<g class="words" fill="${value('fill')}">${outlines.join('')}</g>`;
    },
  );
  const paths = [...letters].map(([id, path]) => `  <path id="${id}" d="${path}"/>\n`).join('');
  return drawn
    .replace('<svg ', '<svg role="img" aria-labelledby="title" aria-describedby="words" ')
    .replace(
      '>\n',
      () => `>\n<title id="title">${title}</title>\n<desc id="words">${words.join('\n')}</desc>\n`,
    )
    .replace('<defs>\n', () => `<defs>\n${paths}`);
}

interface Line {
  text: string;
  x: number;
  y: number;
}

/** The `<tspan>` of a text of several lines, each so far below the one before. */
function linesOf(content: string, x: number, y: number): Line[] {
  const spans = [...content.matchAll(/<tspan x="([^"]*)" dy="([^"]*)">(.*?)<\/tspan>/gs)];
  if (spans.length === 0) return [{ text: content, x, y }];
  let below = y;
  return spans.map(([, left, dy, text = '']) => ({ text, x: Number(left), y: (below += Number(dy)) }));
}

function background(left: number, y: number, length: number): string {
  const { beside, above, below } = BACKGROUND;
  return `<rect x="${(left - beside).toFixed(1)}" y="${(y - above).toFixed(1)}" width="${(length + 2 * beside).toFixed(1)}" height="${above + below}" fill="var(--bg)"/>`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string) =>
  text.replaceAll(/&([#\w]+);/g, (found, name: string) => entities[name] ?? found);
