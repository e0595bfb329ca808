interface TextProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  id?: string;
  /** What the text is in. */
  lang?: string;
  /** As the gateway has it, in characters; of a text of several lines 4,000 by default. */
  most?: number;
}

/** A line of text in either direction. */
export function TextInput({ label, value, onInput, id, lang, most }: TextProps) {
  return (
    <label>
      {label}
      <input
        id={id}
        type="text"
        dir="auto"
        lang={lang}
        maxLength={most}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

/** Some lines of text in either direction; grows with them where the browser can. */
export function TextArea({ label, value, onInput, id, lang, most = 4000 }: TextProps) {
  return (
    <label>
      {label}
      <textarea
        id={id}
        rows={2}
        maxLength={most}
        dir="auto"
        lang={lang}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value | null;
  options: readonly { value: Value; label: string }[];
  /** What stands there while nothing is chosen. */
  none: string;
  onChange: (value: Value | null) => void;
  id?: string;
}

export function Choice<Value extends string>({
  label,
  value,
  options,
  none,
  onChange,
  id,
}: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange((currentTarget.value || null) as Value | null)}
      >
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
