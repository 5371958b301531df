import type { FileType } from './run-file'

const imageStarts: readonly (readonly [FileType, string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
]

/** What a file is by its bytes alone; null = nothing that can be attached. */
export function fileTypeOf(content: Uint8Array): FileType | null {
  const image = imageTypeOf(content)
  if (image) return image
  if (headOf(content).startsWith('%PDF-')) return 'application/pdf'
  return isText(content) ? 'text/plain' : null
}

/** What image a file is by its bytes alone; null = none. */
export function imageTypeOf(content: Uint8Array): FileType | null {
  const head = headOf(content)
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  return imageStarts.find(([, start]) => head.startsWith(start))?.[0] ?? null
}

function headOf(content: Uint8Array): string {
  return Buffer.from(content.subarray(0, 16)).toString('latin1')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell a program's data from text
const dataCharacter = /[\0-\x08\x0e-\x1f\x7f]/

function isText(content: Uint8Array): boolean {
  if (content.length === 0) return false
  try {
    return !dataCharacter.test(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return false
  }
}

const longestName = 120

/** The name without folders and without characters that nobody sees; `file` when nothing is left. */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '')
  const plain = seen.replace(/\s+/g, ' ').trim().replace(/^\.+/, '')
  if (plain.length <= longestName) return plain || 'file'
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, longestName - ending.length).toWellFormed() + ending
}
