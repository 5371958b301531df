import { createHash } from 'node:crypto'
import { ValidationError } from '@/lib/kernel/errors'
import { decodeAsText } from '@/lib/protocol/files/decode-text'
import { fileTypeOf } from '@/lib/protocol/files/file-type'
import type { FileType } from '@/lib/protocol/tool'
import { byteBound } from '@/lib/words/byte-bound'
import { hiddenWords } from '@/lib/words/hidden-text'
import { measurePdf } from './measure-pdf'
import { refuseBombs, refusePages } from './refuse-bombs'

/** Facts from the bytes of a file. `pages` null: it is no PDF, or one that cannot be measured. */
export type Examined = {
  type: FileType
  sha256: string
  pages: number | null
  mostTokens: number | null
  /** Places of characters that models read and people do not see, as a sentence; null = there are none. */
  hidden: string | null
}

/**
 * Reads a whole file for what it is and how much of it a model would read. Takes long for a large one, so it runs in a
 * worker. Throws ValidationError for a type that no model reads, and for what unpacks to too much.
 */
export async function examineFile(content: Uint8Array): Promise<Examined> {
  const type = requireType(content)
  refuseBombs(type, content)
  const text = type === 'text/plain' ? decodeAsText(content).text : null
  const { pages, mostTokens } = await sizeOf(type, content, text)
  refusePages(pages ?? 0)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { type, sha256, pages, mostTokens, hidden: hiddenWords(text) }
}

function requireType(content: Uint8Array): FileType {
  if (content.length === 0) throw new ValidationError({ file: 'The file is empty.' })
  const type = fileTypeOf(content)
  if (type !== null) return type
  throw new ValidationError({
    file: 'Attach a PNG, JPEG, WebP or GIF image, a PDF or a text. This file is none of them.',
  })
}

async function sizeOf(
  type: FileType,
  content: Uint8Array,
  text: string | null,
): Promise<{ pages: number | null; mostTokens: number | null }> {
  if (text !== null) return { pages: null, mostTokens: byteBound(text) }
  const size = type === 'application/pdf' ? await measurePdf(content) : null
  return { pages: size?.pages ?? null, mostTokens: size?.textTokens ?? null }
}
