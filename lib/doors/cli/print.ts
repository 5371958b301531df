import { visibleText } from '@/lib/protocol/clean-text'

/** JSON escapes C0 by itself; these too can steer a terminal, end a line or turn text around. */
const steersTerminals = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function printLine(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** One line of JSON that is safe to look at in a terminal, and the same value for a parser. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value)
  printLine(
    text.replace(steersTerminals, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Rows as columns of equal width under a heading. */
export function printTable(heading: string[], rows: string[][]): void {
  const lines = [heading, ...rows].map((cells) => cells.map(visibleText))
  const widths = heading.map((_, column) =>
    Math.max(...lines.map((cells) => [...(cells[column] ?? '')].length)),
  )
  for (const cells of lines) {
    const padded = cells.map(
      (cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length),
    )
    printLine(padded.join('  ').trimEnd())
  }
}
