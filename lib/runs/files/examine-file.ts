import { createHash } from 'node:crypto'
import { ValidationError } from '../../kernel/errors'
import { byteBound } from '../../protocol/byte-bound'
import { decodeAsText } from '../../protocol/decode-text'
import { fileTypeOf } from '../../protocol/file-type'
import type { FileType } from '../../protocol/tool'
import { measurePdf } from './measure-pdf'
import { refuseBombs, refusePages } from './refuse-bombs'

/** What the bytes of a file say. `pages` null = it is no PDF, or one that cannot be measured. */
export type Examined = {
  type: FileType
  sha256: string
  pages: number | null
  mostTokens: number | null
}

/**
 * Reads a whole file for what it is and how much of it a model would read. Takes long for a large one, so it runs in a
 * worker. Throws ValidationError for a type that no model reads, and for what unpacks to too much.
 */
export async function examineFile(content: Uint8Array): Promise<Examined> {
  const type = requireType(content)
  refuseBombs(type, content)
  const { pages, mostTokens } = await sizeOf(type, content)
  refusePages(pages ?? 0)
  return { type, sha256: createHash('sha256').update(content).digest('hex'), pages, mostTokens }
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
): Promise<{ pages: number | null; mostTokens: number | null }> {
  if (type === 'text/plain') {
    return { pages: null, mostTokens: byteBound(decodeAsText(content).text) }
  }
  const size = type === 'application/pdf' ? await measurePdf(content) : null
  return { pages: size?.pages ?? null, mostTokens: size?.textTokens ?? null }
}
