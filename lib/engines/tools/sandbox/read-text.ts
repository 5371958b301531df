import { redactLines } from '@/lib/kernel/redaction/redact-text'
import { undecodedParts } from '@/lib/protocol/files/decode-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { redactedParts } from '../left-out'
import { readBytes, withFile, withFolder } from './contained'
import { decodeFile, fileFacts } from './text-file'
import { notPermitted, partsOf } from './workspace-path'

const mostReadBytes = 10 * 1024 * 1024
export const mostLines = 2_000
const mostCharacters = 200_000

/** Lines of a file. `first` and `last` count from 1; `last` < `first` = there are none so far down. */
type Page = {
  text: string
  first: number
  last: number
  lines: number
  isCut: boolean
  secrets: LeftOut[]
}
type FilePage = Page & ReturnType<typeof fileFacts> & { undecoded: LeftOut[] }

/** Returns lines of a text file of a workspace. Throws ToolError when it may not be read, or is no text. */
export async function readPage(
  root: string,
  path: string,
  { start, lines }: { start: number; lines: number },
): Promise<FilePage> {
  const parts = partsOf(path)
  const name = parts.pop()
  if (name === undefined) throw notPermitted()
  const bytes = await withFolder(root, parts, (folder) =>
    withFile(folder, name, (file) => readBytes(file, mostReadBytes)),
  )
  if (bytes === null) throw new ToolError('too-large', 'This file is larger than 10 MiB.')
  const file = decodeFile(bytes)
  if (file === null) {
    throw new ToolError(
      'binary',
      `This file is no text: it has ${bytes.length} bytes of another kind.`,
    )
  }
  const page = pageOf(file.text, start, Math.min(lines, mostLines))
  return { ...page, ...fileFacts(file), undecoded: undecodedParts(file.undecoded, page.text) }
}

/** Returns lines of a text without secrets, at most 200,000 characters of them. */
export function pageOf(text: string, start: number, lines: number): Page {
  const all = text.split('\n')
  // The line break at the end of a file ends its last line.
  if (all.at(-1) === '') all.pop()
  const wanted = all.slice(start - 1, start - 1 + lines)
  let characters = 0
  const fitting = wanted.filter((line) => {
    characters += line.length + 1
    return characters <= mostCharacters
  })
  const isCut = fitting.length === 0 && wanted.length > 0
  const shown = isCut ? [wanted[0]?.slice(0, mostCharacters).toWellFormed() ?? ''] : fitting
  const last = start + shown.length - 1
  const before = all.slice(0, start - 1).reduce((sum, line) => sum + line.length + 1, 0)
  const page = withoutSecrets(text, before, shown)
  return {
    text: page.map((line) => line.replace(/\r$/, '')).join('\n'),
    first: start,
    last,
    lines: all.length,
    isCut,
    secrets: redactedParts(shown, page),
  }
}

/** A secret may begin before the page, or end after it. */
const lookedAround = 8_000

/** Returns lines that begin at a place of a text, without secrets. Each stays a line. */
function withoutSecrets(text: string, from: number, lines: readonly string[]): string[] {
  const until = from + lines.join('\n').length
  const before = text.slice(Math.max(0, from - lookedAround), from).split('\n')
  const after = text.slice(until, until + lookedAround).split('\n')
  const around = [...before.slice(0, -1), ...lines]
  // The rest of the last line belongs to it.
  const last = `${around.pop() ?? ''}${after[0] ?? ''}`
  const redacted = redactLines([...around, last, ...after.slice(1)], { hashes: true })
  const shown = redacted.slice(before.length - 1, before.length - 1 + lines.length)
  return shown.map((line) => line.slice(0, mostCharacters).toWellFormed())
}
