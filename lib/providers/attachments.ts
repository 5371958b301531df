import type { Attachment } from '@/lib/protocol/message'
import type { FileType } from '@/lib/protocol/run-file'

/** A file as wires tell them apart; every wire takes a text as text. */
export type FilePart =
  | { kind: 'text'; text: string }
  | { kind: 'image'; type: Exclude<FileType, 'application/pdf' | 'text/plain'>; base64: string }
  | { kind: 'pdf'; name: string; base64: string }

/** What was attached to a message, in order. Throws where the content was not put into the request. */
export function filePartsOf({
  attachments = [],
}: {
  attachments?: readonly Attachment[]
}): FilePart[] {
  return attachments.map(({ id, name, type, content }) => {
    if (!content) throw new Error(`The request does not have the content of file ${id}.`)
    if ('text' in content) return { kind: 'text', text: content.text }
    const { base64 } = content
    if (type === 'application/pdf' || type === 'text/plain') return { kind: 'pdf', name, base64 }
    return { kind: 'image', type, base64 }
  })
}

export function dataUrl(type: FileType, base64: string): string {
  return `data:${type};base64,${base64}`
}
