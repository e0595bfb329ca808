import { renderMermaidSVG } from 'beautiful-mermaid';
import { outlineText } from './outline-text.ts';

const light = {
  bg: '#ffffff',
  fg: '#1f2328',
  line: '#59636e',
  accent: '#0969da',
  muted: '#424a53',
  surface: '#f6f8fa',
  border: '#818b98',
};
const dark: typeof light = {
  bg: '#0d1117',
  fg: '#f0f6fc',
  line: '#9198a1',
  accent: '#4493f8',
  muted: '#c9d1d9',
  surface: '#151b23',
  border: '#656c76',
};

/** The renderer sets the light colours as an inline style of the drawing, which only `!important` overrides. */
const extraStyle = `
  @media (prefers-color-scheme: dark) {
    svg { ${Object.entries(dark)
      .map(([name, colour]) => `--${name}: ${colour} !important;`)
      .join(' ')} }
  }
</style>`;

/**
 * Renders a Mermaid source (flowchart, sequence or state diagram) as a self-contained SVG: its own background, colours for light
 * and dark, and text as outlines. The same source gives the same bytes.
 * @throws when the source cannot be parsed or has no `accTitle:`.
 */
export function renderDiagram(source: string): string {
  // Mermaid's own line for screen readers, which the renderer does not know.
  const title = /^ *accTitle: (.+)\n/m;
  const [line, words] = title.exec(source) ?? [];
  if (line === undefined || words === undefined)
    throw new Error('The diagram has no line "accTitle: <what it shows>" below its first one. Add it.');
  const svg = renderMermaidSVG(source.replace(line, ''), { ...light, padding: 16, layerSpacing: 28 });
  const styled = svg
    // The renderer imports fonts from Google, and names one for text.
    .replaceAll(/^ *(?:@import url\(|text \{).*\n/gm, '')
    .replace('</style>', extraStyle);
  return `${outlineText(styled, words).trimEnd()}\n`;
}
