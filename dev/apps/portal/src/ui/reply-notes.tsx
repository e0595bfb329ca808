import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';

/** Remarks of an AI service on its own reply. */
export interface Notes {
  notice?: string | undefined;
  modelVersion?: string | undefined;
}

/**
 * The notices of these replies and the versions of their models, each once; a notice within a longer one is left out.
 * @param besides notes that the page shows elsewhere.
 */
export function ReplyNotes({ replies, besides = {} }: { replies: readonly Notes[]; besides?: Notes }) {
  const notices = others(replies, besides, 'notice');
  const versions = others(replies, besides, 'modelVersion');
  if (notices.length + versions.length === 0) return null;
  return (
    <div class="reply-notes">
      {notices.map((notice) => (
        <p key={notice} dir="auto">
          {notice}
        </p>
      ))}
      {versions.map((version) => (
        <p key={version}>{fill(texts.value.result.modelVersion, { version })}</p>
      ))}
    </div>
  );
}

function others(replies: readonly Notes[], besides: Notes, name: keyof Notes): string[] {
  const found = [...new Set(replies.flatMap((reply) => reply[name] ?? []))];
  const isShown = (text: string) =>
    text === besides[name] || found.some((other) => other !== text && other.includes(text));
  return found.filter((text) => !isShown(text));
}
