import { randomUUID } from 'node:crypto'
import type { Attachment, Message } from '@/lib/protocol/model/message'
import { splitFenceLine } from '@/lib/protocol/model/model-text'
import { answerBeforeImages, imagesText } from '@/lib/protocol/model/result-images'
import type { FileType } from '@/lib/protocol/tool'

/**
 * A file as wires tell them apart; every wire takes a text as text. `base64` is the place where `withFiles` puts it.
 */
export type FilePart =
  | { kind: 'text'; text: string }
  | { kind: 'image'; type: Exclude<FileType, 'application/pdf' | 'text/plain'>; base64: string }
  | { kind: 'pdf'; name: string; base64: string }

/** Returns what was attached to a message, in order. Throws when the content was not put into the request. */
export function filePartsOf({
  attachments = [],
}: {
  attachments?: readonly Attachment[]
}): FilePart[] {
  return attachments.map((file) => {
    const { id, name, type, content } = file
    if (!content) throw new Error(`The request does not have the content of file ${id}.`)
    if ('text' in content) return { kind: 'text', text: content.text }
    const base64 = placeOf(file)
    if (type === 'application/pdf' || type === 'text/plain') return { kind: 'pdf', name, base64 }
    return { kind: 'image', type, base64 }
  })
}

/**
 * Returns a message of the user as parts and the text behind them: first the line about our tags, which must be the
 * very first one (SPEC T6), then the files. Without files everything is in the text.
 */
export function userPartsOf(message: Extract<Message, { role: 'user' }>): {
  parts: FilePart[]
  text: string
} {
  const files = filePartsOf(message)
  const [line, text] = splitFenceLine(message.text)
  if (files.length === 0 || line === '') return { parts: files, text: message.text }
  return { parts: [{ kind: 'text', text: line.trimEnd() }, ...files], text }
}

/** Random, so that no text of a file or prompt can imitate it. */
const placeMark = `file-${randomUUID()}-`

function placeOf({ sha256 }: Attachment): string {
  return placeMark + sha256
}

/** Puts the files of these messages in their places in the body of a request: the one copy of them in base64. */
export function withFiles(body: Buffer, messages: readonly Message[]): Buffer {
  const holes = [...filesOf(messages)].flatMap(([place, bytes]) => {
    const found: { at: number; end: number; bytes: Uint8Array }[] = []
    for (let at = body.indexOf(place); at >= 0; at = body.indexOf(place, at + place.length)) {
      found.push({ at, end: at + place.length, bytes })
    }
    return found
  })
  if (holes.length === 0) return body
  holes.sort((a, b) => a.at - b.at)
  const more = holes.reduce((sum, { at, end, bytes }) => sum + base64Length(bytes) - (end - at), 0)
  const whole = Buffer.allocUnsafe(body.length + more)
  let from = 0
  let to = 0
  for (const { at, end, bytes } of holes) {
    to += body.copy(whole, to, from, at)
    to += writeBase64(whole, to, bytes)
    from = end
  }
  body.copy(whole, to, from)
  return whole
}

/** Returns the files by their place. The same bytes in two messages have one place. */
function filesOf(messages: readonly Message[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const message of messages) {
    if (message.role === 'assistant') continue
    for (const file of message.attachments ?? []) {
      if (file.content && 'bytes' in file.content) files.set(placeOf(file), file.content.bytes)
    }
  }
  return files
}

const base64Length = ({ length }: Uint8Array) => Math.ceil(length / 3) * 4
/** A multiple of 3, so that no piece but the last one is filled up. */
const pieceBytes = 48 * 1024

function writeBase64(whole: Buffer, at: number, bytes: Uint8Array): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let to = at
  for (let from = 0; from < source.length; from += pieceBytes) {
    to += whole.write(source.toString('base64', from, from + pieceBytes), to, 'latin1')
  }
  return to - at
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

/**
 * Returns the messages for APIs whose results are only text: the images of a round's results follow in one message of
 * the user.
 */
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
