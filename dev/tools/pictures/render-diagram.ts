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
  /* The renderer takes digits and thin letters for thinner than they are. */
  .note text, .edge-label text { font-size: 10.5px; }
  /* Lines do not run through the words that lie on them. */
  .message text, .block text { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; }
</style>`;

/**
 * A Mermaid source (flowchart, sequence or state diagram) as an SVG that needs nothing from elsewhere: its own
 * background and colours for light and dark, and a font that is there. The same source gives the same bytes.
 * @throws when the source cannot be parsed.
 */
export function renderDiagram(source: string): string {
  const svg = renderMermaidSVG(source, { ...light, font: 'Arial', padding: 16, layerSpacing: 28 });
  return `${svg
    // The renderer asks Google for its fonts.
    .replaceAll(/^ *@import url\(.*\);\n/gm, '')
    .replace('</style>', extraStyle)
    .trimEnd()}\n`;
}
