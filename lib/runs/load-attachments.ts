import 'server-only'
import { db } from '@/lib/db'
import { cleanText } from '@/lib/protocol/clean-text'
import type { Attachment, Message } from '@/lib/protocol/message'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { wrapUntrusted } from '@/lib/protocol/model-text'
import { attachmentsOf } from '@/lib/runtime/file-tokens'

/**
 * Puts the bytes of attached files into requests. The same message becomes the same object each time, so that adapters turn
 * it into JSON once; it is forgotten with the run.
 */
export function openAttachments(): (request: ModelRequest) => Promise<ModelRequest> {
  const loaded = new WeakMap<Message, Message>()
  const load = async (message: Message): Promise<Message> => {
    if (message.role !== 'user' || !message.attachments) return message
    const known = loaded.get(message)
    if (known) return known
    const made = { ...message, attachments: await withContent(message.attachments) }
    loaded.set(message, made)
    return made
  }
  return async (request) => {
    const has = request.messages.some((message) => attachmentsOf(message).length > 0)
    return has ? { ...request, messages: await Promise.all(request.messages.map(load)) } : request
  }
}

async function withContent(attachments: readonly Attachment[]): Promise<Attachment[]> {
  const sha256 = { in: attachments.map((file) => file.sha256) }
  const rows = await db().fileContent.findMany({ where: { sha256 } })
  const bytesOf = new Map(rows.map((row) => [row.sha256, row.content]))
  return attachments.map((file) => {
    const bytes = bytesOf.get(file.sha256)
    if (!bytes) throw new Error(`The bytes of file ${file.id} are gone.`)
    return { ...file, content: contentOf(file, Buffer.from(bytes)) }
  })
}

function contentOf(file: Attachment, bytes: Buffer): Attachment['content'] {
  if (file.type !== 'text/plain') return { base64: bytes.toString('base64') }
  return { text: wrapUntrusted({ file: file.name }, cleanText(bytes.toString()), file.fence) }
}
