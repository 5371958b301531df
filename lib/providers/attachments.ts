import type { Attachment, Message } from '@/lib/protocol/message'
import { answerBeforeImages, imagesText } from '@/lib/protocol/result-images'
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

type ToolMessage = Extract<Message, { role: 'tool' }>

export function hasResultImages(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'tool' && message.attachments)
}

/** By the first result with images of a round: adapters remember messages by identity. */
const imageMessages = new WeakMap<Message, Message>()

/** Stands between results and their images where a server wants the model to answer results. */
const answer: Message = {
  role: 'assistant',
  text: answerBeforeImages,
  reasoning: [],
  toolCalls: [],
}

/** Where results are text alone: the same messages, with the images of a round's results in one message of the user behind them. */
export function imagesAfterResults(
  messages: readonly Message[],
  { answersResults = false }: { answersResults?: boolean } = {},
): readonly Message[] {
  if (!hasResultImages(messages)) return messages
  const carriers: ToolMessage[] = []
  return messages.flatMap((message, at) => {
    if (message.role !== 'tool') return message
    if (message.attachments) carriers.push(message)
    if (carriers.length === 0 || messages[at + 1]?.role === 'tool') return message
    const images = imageMessage(carriers.splice(0))
    return answersResults ? [message, answer, images] : [message, images]
  })
}

function imageMessage(carriers: readonly ToolMessage[]): Message {
  const [first] = carriers
  const known = first && imageMessages.get(first)
  if (known) return known
  const attachments = carriers.flatMap((message) => message.attachments ?? [])
  const made: Message = { role: 'user', text: imagesText(carriers), attachments }
  if (first) imageMessages.set(first, made)
  return made
}
