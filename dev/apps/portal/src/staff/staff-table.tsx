import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Unique within the table. */
  key: string;
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end of their column. */
  numeric?: boolean;
}

interface StaffTableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string;
  /** The first one names the row, usually by a link to its page. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/**
 * A table of staff: its header stays in view, the arrows (and j, k) move from row to row, and on a phone each row is a
 * card. The roles are explicit because browsers drop those of a table that CSS lays out as cards.
 */
export function StaffTable<Row>({ caption, columns, rows, rowKey }: StaffTableProps<Row>) {
  return (
    <table class="staff-table" role="table" onKeyDown={moveBetweenRows}>
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, label, numeric }) => (
            <th key={key} role="columnheader" scope="col" class={numeric ? 'numeric' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map((column, index) => (
              <Cell key={column.key} column={column} row={row} isHeader={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  isHeader: boolean;
}

function Cell<Row>({ column: { label, cell, numeric }, row, isHeader }: CellProps<Row>) {
  const content = <div>{cell(row)}</div>;
  if (isHeader) {
    return (
      <th role="rowheader" scope="row">
        {content}
      </th>
    );
  }
  return (
    <td role="cell" data-label={label} class={numeric ? 'numeric' : undefined}>
      {content}
    </td>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** To the same place in the next row: the link or button of the same number there. */
function moveBetweenRows(event: KeyboardEvent): void {
  const step = steps[event.key];
  const { target } = event;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLElement) || !target.matches('a, button')) return;
  const row = target.closest('tr');
  const next = step > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  const places = (within: Element) => [...within.querySelectorAll<HTMLElement>('a, button')];
  if (row === null || next === null || next === undefined) return;
  const there = places(next);
  (there[places(row).indexOf(target)] ?? there[0])?.focus();
  event.preventDefault();
}
