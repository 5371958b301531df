import 'server-only'
import { attachmentsOf } from '@/lib/engines/runtime/spend/count-tokens'
import type { Tx } from '@/lib/kernel/db'
import { decodeAsText, encodingWords, undecodedParts } from '@/lib/protocol/files/decode-text'
import type { Attachment, Message, ModelRequest } from '@/lib/protocol/model/message'
import { wrapUntrusted } from '@/lib/protocol/model/model-text'
import { cleanText } from '@/lib/words/clean-text'

/**
 * Adds the content of files to a request. One query reads it for each request: a run holds none in between. The bytes
 * become base64 when the body of the request is written.
 */
export async function loadAttachments(tx: Tx, request: ModelRequest): Promise<ModelRequest> {
  const files = request.messages.flatMap(attachmentsOf)
  if (files.length === 0) return request
  const contents = await readContents(tx, files)
  const messages = request.messages.map((message): Message => {
    if (message.role === 'assistant' || !message.attachments) return message
    return {
      ...message,
      attachments: message.attachments.map((file) => withContent(file, contents)),
    }
  })
  return { ...request, messages }
}

type Contents = ReadonlyMap<string, Uint8Array>

async function readContents(tx: Tx, files: readonly Attachment[]): Promise<Contents> {
  const sha256 = { in: files.map((file) => file.sha256) }
  const rows = await tx.fileContent.findMany({ where: { sha256 } })
  return new Map(rows.map((row) => [row.sha256, row.content]))
}

function withContent(file: Attachment, contents: Contents): Attachment {
  const bytes = contents.get(file.sha256)
  if (!bytes) throw new Error(`The bytes of file ${file.id} are gone.`)
  return { ...file, content: contentOf(file, bytes) }
}

function contentOf(file: Attachment, bytes: Uint8Array): Attachment['content'] {
  if (file.type !== 'text/plain') return { bytes }
  const decoded = decodeAsText(bytes)
  const encoding = encodingWords(decoded)
  const words = [
    ...(encoding === null ? [] : [`The encoding of the next file is ${encoding}.`]),
    ...undecodedParts(decoded.undecoded, decoded.text).map(({ what, why }) => `${what} ${why}.`),
  ].join(' ')
  // `afterFences` finds the end of a note by its bracket.
  const note = words === '' ? '' : `[Note from Toolgate: ${words}]\n`
  return {
    text: note + wrapUntrusted({ file: file.name }, cleanText(decoded.text), file.fence),
  }
}
