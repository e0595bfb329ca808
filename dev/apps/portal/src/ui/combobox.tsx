import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Option {
  value: string;
  label: string;
  detail: string;
}

interface ComboboxProps<Of extends Option> {
  label: string;
  /** Of the input. */
  id: string | undefined;
  text: string;
  onText: (text: string) => void;
  options: readonly Of[];
  /** Whether the options are those of the text, and not of an earlier one. */
  isCurrent: boolean;
  /** Shown in place of the options while there are none. */
  empty: ComponentChildren;
  onPick: (option: Of) => void;
}

/**
 * A text field with a list of options: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/examples/combobox-autocomplete-list/
 *
 * What each key meets is known with the drawing, not a frame later, so that fast typing loses nothing. Enter picks the
 * highlighted option, the first at the start; pressed before the options are those of the text, it waits for them. It
 * never submits a form. A text that was not picked stays.
 */
export function Combobox<Of extends Option>(props: ComboboxProps<Of>) {
  const { label, text, onText, options, isCurrent, empty, onPick } = props;
  const own = useId();
  const id = props.id ?? `${own}-input`;
  const list = useRef<HTMLUListElement>(null);
  const [isClosed, close] = useState(false);
  const [pointedAt, pointAt] = useState<string>();
  /** The text with which Enter was pressed too early. */
  const [entered, enter] = useState<string>();
  const isOpen = !isClosed && text.trim() !== '';
  const at = Math.max(
    0,
    options.findIndex(({ value }) => value === pointedAt),
  );
  const highlighted = isOpen ? options[at] : undefined;
  const optionId = (index: number) => `${own}-${index}`;

  function type(next: string) {
    onText(next);
    close(false);
    pointAt(undefined);
    enter(undefined);
  }
  function pick(option: Of) {
    type('');
    onPick(option);
  }

  useLayoutEffect(() => {
    if (entered === undefined || !isCurrent) return;
    if (entered === text && options[0] !== undefined) return pick(options[0]);
    enter(undefined);
    close(false);
  });
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, at]);

  function onEnter() {
    if (text.trim() === '') return;
    if (!isCurrent) {
      enter(text);
      close(true);
    } else if (highlighted !== undefined) {
      pick(highlighted);
    }
  }
  function step(by: 1 | -1) {
    if (isOpen) pointAt(options.at((at + by) % options.length)?.value);
    else close(false);
  }
  const keys: Readonly<Record<string, () => void>> = {
    Enter: onEnter,
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
  };
  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && isOpen) {
      // The first Escape closes the list; the next one leaves the field.
      event.stopPropagation();
      event.preventDefault();
      close(true);
    }
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        dir="auto"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={200}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${own}-list`}
        aria-activedescendant={highlighted && optionId(at)}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={() => close(true)}
        onKeyDown={onKeyDown}
      />
      <div class="list" hidden={!isOpen} onMouseDown={(event) => event.preventDefault()}>
        <ul ref={list} id={`${own}-list`} role="listbox" aria-label={label}>
          {options.map((option, index) => (
            <li
              key={option.value}
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              onPointerMove={() => pointAt(option.value)}
              onClick={() => pick(option)}
            >
              <span>{option.label}</span>
              <span class="code" dir="ltr">
                {option.detail}
              </span>
            </li>
          ))}
        </ul>
        {options.length === 0 && (
          <p class="nothing" role="status">
            {empty}
          </p>
        )}
      </div>
    </div>
  );
}
