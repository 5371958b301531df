import type { FileType } from '@/lib/protocol/tool'
import { decodeText } from './decode-text'

const imageStarts: readonly (readonly [FileType, string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
]

/** Returns the type of a file by its bytes alone; null = it cannot be attached. `isCut`: more of them follow. */
export function fileTypeOf(content: Uint8Array, { isCut = false } = {}): FileType | null {
  const image = imageTypeOf(content)
  if (image) return image
  if (headOf(content).startsWith('%PDF-')) return 'application/pdf'
  return isText(content, isCut) ? 'text/plain' : null
}

/** Returns the type of an image by its bytes alone; null = it is none. */
export function imageTypeOf(content: Uint8Array): FileType | null {
  const head = headOf(content)
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  return imageStarts.find(([, start]) => head.startsWith(start))?.[0] ?? null
}

function headOf(content: Uint8Array): string {
  return String.fromCharCode(...content.subarray(0, 16))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell a program's data from text
const dataCharacter = /[\0-\x08\x0e-\x1f\x7f]/

function isText(content: Uint8Array, isCut: boolean): boolean {
  if (content.length === 0) return false
  const decoded = decodeText(content, { isCut })
  return decoded !== null && !dataCharacter.test(decoded.text)
}
