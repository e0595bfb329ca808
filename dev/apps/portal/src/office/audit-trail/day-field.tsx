interface DayFieldProps {
  label: string;
  /** Such as `2026-11-23`, or empty. */
  value: string;
  onChange: (value: string) => void;
}

/** A day of a filter. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input type="date" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}
