// npm run portal:fonts: cuts the typeface of the portal, src/fonts/, out of Noto Sans. A browser loads the scripts that it shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { scriptArguments } from '../../services/script-arguments.ts';

/** A script, its package, and the characters that are cut out; of those in two scripts the later one counts. */
const scripts = {
  arabic: { family: 'noto-sans-arabic', ranges: 'U+0600-06FF, U+200C-200E' },
  hebrew: { family: 'noto-sans-hebrew', ranges: 'U+0591-05F4, U+20AA' },
  latin: {
    family: 'noto-sans',
    ranges: 'U+0020-007E, U+00A0-00FF, U+2010-203A, U+20AC, U+2122, U+2212',
  },
} as const;
/** In between a browser takes the nearer one. */
const weights = { 400: '400Regular', 700: '700Bold' } as const;

type Script = keyof typeof scripts;
type Weight = keyof typeof weights;

const fontFolder = join(import.meta.dirname, 'src', 'fonts');
/** The Open Font License is part of every copy. */
const licence = join(import.meta.dirname, 'public', 'fonts-licence.txt');

/** All characters that `ranges` names, in the notation of CSS. */
export function charactersIn(ranges: string): string {
  return ranges
    .split(', ')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .slice(2)
        .split('-')
        .map((code) => parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset));
    })
    .join('');
}

const packageFolder = (family: string) =>
  fileURLToPath(new URL('.', import.meta.resolve(`@expo-google-fonts/${family}`)));

/** WOFF2 with the characters of one script. */
export async function cutFont(script: Script, weight: Weight): Promise<Buffer> {
  const { family, ranges } = scripts[script];
  const style = weights[weight];
  const name = family.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const whole = readFileSync(join(packageFolder(family), style, `${name.join('')}_${style}.ttf`));
  return await subsetFont(whole, charactersIn(ranges), { targetFormat: 'woff2' });
}

const face = (script: string, weight: string, ranges: string) => `
@font-face {
  font-family: 'Noto Sans';
  font-weight: ${weight};
  font-display: swap;
  src: url('./${script}-${weight}.woff2') format('woff2');
  unicode-range: ${ranges};
}
`;

/** The style sheet that names the files. */
export function fontFaces(): string {
  const faces = Object.entries(scripts).flatMap(([script, { ranges }]) =>
    Object.keys(weights).map((weight) => face(script, weight, ranges)),
  );
  return `/* Written by npm run portal:fonts. */\n${faces.join('')}`;
}

/** The text of the licence, below the copyright of each family. */
function licences(): string {
  const texts = Object.values(scripts).map(({ family }) =>
    readFileSync(join(packageFolder(family), 'LICENSE_FONT'), 'utf8').split('\n'),
  );
  const [, ...terms] = texts[0] ?? [];
  return [...texts.map(([copyright]) => copyright), ...terms].join('\n');
}

if (import.meta.main) {
  scriptArguments('usage: npm run portal:fonts', {});
  for (const script of Object.keys(scripts) as Script[]) {
    for (const weight of [400, 700] as const) {
      const font = await cutFont(script, weight);
      writeFileSync(join(fontFolder, `${script}-${weight}.woff2`), font);
      console.log(`${`${(font.length / 1024).toFixed(1)} KiB`.padStart(10)}  ${script}-${weight}.woff2`);
    }
  }
  writeFileSync(join(fontFolder, 'fonts.css'), fontFaces());
  writeFileSync(licence, licences());
}
