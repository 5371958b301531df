import { visibleText } from '@/lib/words/clean-text'
import { type DiffPart, diffLines } from '@/lib/words/diff-lines'
import { printLine } from './print'

const marks: Record<DiffPart['type'], string> = { same: ' ', added: '+', removed: '-' }

/** Prints two texts or their difference, line by line, with control characters made visible. */
export function printDiff(...texts: [before: string, after: string] | [parts: DiffPart[]]): void {
  const parts = texts.length === 1 ? texts[0] : diffLines(...texts)
  for (const { type, value } of parts) {
    for (const line of value.replace(/\n$/, '').split('\n')) {
      printLine(`${marks[type]} ${visibleText(line)}`)
    }
  }
}
