import { renderMermaidSVG } from 'beautiful-mermaid';

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
  /* The renderer underestimates the width of digits and thin letters. */
  .note text, .edge-label text { font-size: 10.5px; }
  /* A background, so that lines do not cross labels. */
  .message text, .block text { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; }
</style>`;

/**
 * Renders a Mermaid source (flowchart, sequence or state diagram) as a self-contained SVG: its own background, colours for light
 * and dark, and a system font. The same source gives the same bytes.
 * @throws when the source cannot be parsed.
 */
export function renderDiagram(source: string): string {
  const svg = renderMermaidSVG(source, { ...light, font: 'Arial', padding: 16, layerSpacing: 28 });
  return `${svg
    // The renderer imports fonts from Google.
    .replaceAll(/^ *@import url\(.*\);\n/gm, '')
    .replace('</style>', extraStyle)
    .trimEnd()}\n`;
}
