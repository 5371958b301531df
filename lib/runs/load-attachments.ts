import 'server-only'
import { db } from '@/lib/db'
import { cleanText } from '@/lib/protocol/clean-text'
import type { Attachment, Message } from '@/lib/protocol/message'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { wrapUntrusted } from '@/lib/protocol/model-text'
import { attachmentsOf } from '@/lib/runtime/file-tokens'

/**
 * Puts the bytes of files into requests, with one query for all that are new. The same message becomes the same object each
 * time, so that adapters turn it into JSON once; it is forgotten with the run.
 */
export function openAttachments(): (request: ModelRequest) => Promise<ModelRequest> {
  const loaded = new WeakMap<Message, Message>()
  return async (request) => {
    if (!request.messages.some(hasFiles)) return request
    const fresh = request.messages.filter((message) => hasFiles(message) && !loaded.has(message))
    const bytesOf = await readContents(fresh.flatMap(attachmentsOf))
    for (const message of fresh) {
      if (message.role === 'assistant') continue
      const attachments = attachmentsOf(message).map((file) => withContent(file, bytesOf))
      loaded.set(message, { ...message, attachments })
    }
    return { ...request, messages: request.messages.map((one) => loaded.get(one) ?? one) }
  }
}

function hasFiles(message: Message): boolean {
  return attachmentsOf(message).length > 0
}

type Contents = ReadonlyMap<string, Uint8Array>

async function readContents(files: readonly Attachment[]): Promise<Contents> {
  if (files.length === 0) return new Map()
  const sha256 = { in: files.map((file) => file.sha256) }
  const rows = await db().fileContent.findMany({ where: { sha256 } })
  return new Map(rows.map((row) => [row.sha256, row.content]))
}

function withContent(file: Attachment, contents: Contents): Attachment {
  const bytes = contents.get(file.sha256)
  if (!bytes) throw new Error(`The bytes of file ${file.id} are gone.`)
  return { ...file, content: contentOf(file, Buffer.from(bytes)) }
}

function contentOf(file: Attachment, bytes: Buffer): Attachment['content'] {
  if (file.type !== 'text/plain') return { base64: bytes.toString('base64') }
  return { text: wrapUntrusted({ file: file.name }, cleanText(bytes.toString()), file.fence) }
}
