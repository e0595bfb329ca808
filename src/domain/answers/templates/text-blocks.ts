/** A part of a plain text. A paragraph may have several lines. */
export interface TextBlock {
  kind: 'paragraph' | 'list_item';
  text: string;
}

/** Blank lines part paragraphs; an item is a line that begins with `- `, with what follows up to the next item or blank line. */
export function readBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const part of text.split(/\n\s*\n/)) {
    for (const piece of part.split(/\n(?=[^\S\n]*- )/)) {
      const lines = piece.split('\n').map((line) => line.trim());
      const content = lines.filter((line) => line !== '').join('\n');
      if (content.startsWith('- ')) blocks.push({ kind: 'list_item', text: content.slice(2).trimStart() });
      else if (content !== '' && content !== '-') blocks.push({ kind: 'paragraph', text: content });
    }
  }
  return blocks;
}

/** The text of blocks; `readBlocks` finds the same ones in it. */
export function writeBlocks(blocks: readonly TextBlock[]): string {
  return blocks
    .map(({ kind, text }, index) => {
      const follows = index > 0 && kind === 'list_item' && blocks[index - 1]?.kind === 'list_item';
      return `${index === 0 ? '' : follows ? '\n' : '\n\n'}${kind === 'list_item' ? '- ' : ''}${text}`;
    })
    .join('');
}
