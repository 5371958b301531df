import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sourceTexts, type Text } from './source-texts'

export type PlacedText = { door: string; file: string; line: number; text: string }

const doorOf: readonly [door: string, files: RegExp][] = [
  ['Documents', /\.md$/],
  ['API', /^(?:app\/api\/|lib\/http)/],
  ['Pages', /^(?:app|components)\//],
  ['Command line', /^(?:lib\/cli|bin|scripts|tools)\//],
  ['Server', /^(?:lib|prisma\/seed)\/|^[\w.-]+\.ts$/],
]
/** The places where a person reads texts, in the order of the list. */
export const doors = ['Pages', 'Server', 'Command line', 'API', 'Documents']
const isSource = /\.(?:tsx?|mts|mjs)$|^bin\/|\.md$/
const isNoText =
  /\.(?:test|spec)\.tsx?$|\.d\.m?ts$|^tests\/|__fixtures__\/|\.config\.m?ts$|^prisma\.config|^tools\/words|SKILL\.md$/
const startsBlock = /^\s*(?:#{1,6} |[-*+] |\d+\. |\||>)/

/** Lists every text of this checkout that a person can read. "Server": sentences that reach people in several ways. */
export function listTexts(root: string): PlacedText[] {
  const found = sourceFiles(root).flatMap((file) => textsOf(root, file))
  return doors.flatMap((door) => found.filter((text) => text.door === door))
}

function sourceFiles(root: string): string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const gone = new Set(gitLines(root, ['ls-files', '--deleted']))
  return gitLines(root, listed).filter(
    (file) => isSource.test(file) && !isNoText.test(file) && !gone.has(file),
  )
}

function gitLines(root: string, args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
}

function textsOf(root: string, file: string): PlacedText[] {
  const door = doorOf.find(([, pattern]) => pattern.test(file))?.[0]
  if (door === undefined) return []
  const source = readFileSync(path.join(root, file), 'utf8')
  const texts = door === 'Documents' ? markdownTexts(source) : sourceTexts(file, source)
  return texts.map((text) => ({ door, file, ...text }))
}

/** Lists the paragraphs, headings, list items and table rows of a Markdown file; examples in fences are left out. */
function markdownTexts(source: string): Text[] {
  const texts: Text[] = []
  let open: Text | null = null
  let isFenced = false
  for (const [index, row] of source.split('\n').entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(row)
    if (isFence) isFenced = !isFenced
    if (isFence || isFenced || row.trim() === '' || /^\s*[|:\-\s]+$/.test(row)) {
      open = null
      continue
    }
    if (open && !startsBlock.test(row)) {
      open.text += ` ${row.trim()}`
      continue
    }
    open = { line: index + 1, text: row.trim() }
    texts.push(open)
  }
  return texts
}
