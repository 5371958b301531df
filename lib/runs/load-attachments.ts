import 'server-only'
import { attachmentsOf } from '@/lib/engines/runtime/count-tokens'
import type { Tx } from '@/lib/kernel/db'
import { cleanText } from '@/lib/protocol/clean-text'
import type { Attachment, Message, ModelRequest } from '@/lib/protocol/message'
import { wrapUntrusted } from '@/lib/protocol/model-text'

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
  const text = cleanText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  return { text: wrapUntrusted({ file: file.name }, text, file.fence) }
}
