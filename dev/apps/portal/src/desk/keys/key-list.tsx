import { Fragment } from 'preact';
import { Modal } from '../parts/modal.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { activeKeys, singleKeys, switchSingleKeys } from './use-keys.ts';

/** Every key that works on the screen behind it. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const { keys } = deskTexts.value;
  const listed = new Map(activeKeys.peek().flatMap((group) => group.map((key) => [key.press, key.label])));
  return (
    <Modal title={keys.title} onClose={onClose}>
      <dl class="keys">
        {[...listed].map(([press, label]) => (
          <Fragment key={press}>
            <dt>
              <Press press={press} />
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
      </dl>
      <label class="inline">
        <input
          type="checkbox"
          role="switch"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => switchSingleKeys(currentTarget.checked)}
        />
        {keys.singleOn}
      </label>
      <p class="small">{keys.notInFields}</p>
    </Modal>
  );
}

const names: Readonly<Record<string, string>> = {
  $mod: /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl',
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

function Press({ press }: { press: string }) {
  const parts = press === '+' ? ['+'] : press.split('+');
  return (
    <span dir="ltr">
      {parts.map((part) => (
        <kbd key={part}>{names[part] ?? part}</kbd>
      ))}
    </span>
  );
}
