// Writes every text that a person can read into one file: `npm run words [FILE]`.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { doors, listTexts } from './words/list-texts'

const target = path.resolve(process.argv[2] ?? path.join(tmpdir(), 'toolgate-words.txt'))
const texts = listTexts(path.join(import.meta.dirname, '..'))
const parts = doors.map((door) => {
  const lines = texts
    .filter((text) => text.door === door)
    .map(({ file, line, text }) => `${file}:${line}  ${text}`)
  return `## ${door}: ${lines.length} texts\n\n${lines.join('\n')}\n`
})
writeFileSync(target, parts.join('\n'))
console.log(`Wrote ${texts.length} texts to ${target}`)
