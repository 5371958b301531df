import { Option } from 'commander'
import { visibleText } from '@/lib/words/clean-text'
import { terminal } from './terminal'

/** JSON escapes C0 by itself; these too can steer a terminal, end a line or turn text around. */
const steersTerminals = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function printLine(text = ''): void {
  terminal().write(`${text}\n`)
}

/** Prints one line of JSON that is safe to look at in a terminal, and the same value for a parser. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value)
  printLine(
    text.replace(steersTerminals, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Prints rows as columns of equal width under a heading. */
export function printTable(heading: string[], rows: string[][]): void {
  const lines = [heading, ...rows].map((cells) => cells.map(lineOf))
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

/** Returns a cell as one line, so that no text looks like another row. */
function lineOf(cell: string): string {
  return visibleText(cell.replace(/[\n\t]+/g, ' '))
}

/** Returns the option that chooses what an export is written as. */
export function formatOption(): Option {
  return new Option('--format <format>', 'output format').choices(['csv', 'ndjson']).default('csv')
}

/** Writes an export as fast as whoever reads standard output takes it. */
export async function writePieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    terminal().write(piece)
    await terminal().drained()
  }
}

const shownCharacters = 80

/** Returns text as the cell of a table: one line, at most 80 characters of it. */
export function cutLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters).toWellFormed()}…` : line
}
