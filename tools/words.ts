// Writes every text that a person can read into one file: `npm run words [FILE]`; `npm run words -- --count` counts them.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { printTable } from './bench/print-table'
import { doors, listTexts } from './words/list-texts'

const { values, positionals } = parseArgs({
  options: { count: { type: 'boolean' } },
  allowPositionals: true,
})
const texts = listTexts(path.join(import.meta.dirname, '..'))
if (values.count) printCounts()
else writeTexts(path.resolve(positionals[0] ?? path.join(tmpdir(), 'toolgate-words.txt')))

function writeTexts(target: string): void {
  const parts = doors.map((door) => {
    const lines = texts
      .filter((text) => text.door === door)
      .map(({ file, line, text }) => `${file}:${line}  ${text}`)
    return `## ${door}: ${lines.length} texts\n\n${lines.join('\n')}\n`
  })
  writeFileSync(target, parts.join('\n'))
  console.log(`Wrote ${texts.length} texts to ${target}`)
}

/** Prints how many texts and words each door has; a name that code fills in is no word. */
function printCounts(): void {
  const rows = doors.map((door) => {
    const own = texts.filter((text) => text.door === door)
    const words = own.reduce((sum, { text }) => sum + countWords(text), 0)
    return [door, String(own.length), String(words)]
  })
  printTable(['door', 'texts', 'words'], rows)
}

function countWords(text: string): number {
  return text.replace(/\{[^}]*\}/g, ' ').match(/[\p{L}\p{N}$]\S*/gu)?.length ?? 0
}
