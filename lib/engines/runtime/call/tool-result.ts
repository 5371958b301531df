import { createHash } from 'node:crypto'
import { JournalLostError, reportIncident, type SavedImage } from '@/lib/engines/runtime/deps'
import { type RunStep, startOf } from '@/lib/engines/runtime/run-step'
import { imageTypeOf } from '@/lib/protocol/files/file-type'
import { maxFileBytes, maxRunFileBytes } from '@/lib/protocol/files/given-files'
import { imageSizeOf, isModest } from '@/lib/protocol/files/image-size'
import { imagesOf } from '@/lib/protocol/model/result-images'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type {
  ExecutableTool,
  FileType,
  JsonValue,
  LeftOut,
  Outcome,
  RunFile,
  ToolImage,
} from '@/lib/protocol/tool'
import { cleanFileName } from '@/lib/words/file-name'
import { countOf, formatBytes } from '@/lib/words/format'

/** The most bytes of UTF-8 that a result may have in the conversation and the journal (SPEC T5). */
export const maxResultBytes = 64 * 1024

/** Bytes for the longest mark that says what was cut. */
const markBytes = 80

export type Truncated = { content: string; truncated: boolean; originalBytes: number }

/**
 * Truncates a result to at most `maxBytes` of UTF-8, by its type and valid to the end (SPEC T5): text keeps a prefix,
 * an array its first items, any other JSON a prefix of its text inside an object. `text` is the whole result from
 * `resultText`.
 */
export function truncate(value: JsonValue, text: string, maxBytes = maxResultBytes): Truncated {
  const originalBytes = Buffer.byteLength(text)
  if (originalBytes <= maxBytes) return { content: text, truncated: false, originalBytes }
  return { content: cut(value, text, originalBytes, maxBytes), truncated: true, originalBytes }
}

/** Returns the entry for what truncation took from a result. */
export function cutPart(originalBytes: number): LeftOut {
  return {
    what: `the end of a result of ${formatBytes(originalBytes)}`,
    why: `at most ${maxResultBytes / 1024} KiB of a result are passed on`,
  }
}

function cut(value: JsonValue, text: string, originalBytes: number, maxBytes: number): string {
  const room = maxBytes - markBytes
  if (typeof value === 'string') {
    return `${cutText(text, room)}\n[truncated: ${originalBytes} bytes in all]`
  }
  if (Array.isArray(value)) return cutArray(value, room)
  return JSON.stringify({ _truncatedJson: cutJsonText(text, room), originalBytes })
}

/** Returns the longest prefix of at most `maxBytes` of UTF-8 that splits no character. */
export function cutText(text: string, maxBytes: number): string {
  // No character is shorter than a byte, so nothing after `maxBytes` code units can be kept.
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.min(bytes.length, maxBytes)
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function cutArray(items: readonly JsonValue[], room: number): string {
  const kept: string[] = []
  let used = 0
  for (const item of items) {
    const text = JSON.stringify(item) ?? 'null'
    used += Buffer.byteLength(text) + 1
    if (used > room) break
    kept.push(text)
  }
  kept.push(JSON.stringify({ _truncated: true, originalCount: items.length }))
  return `[${kept.join(',')}]`
}

/** Returns the longest prefix of JSON text that has at most `maxBytes` as a JSON string. */
function cutJsonText(text: string, maxBytes: number): string {
  let used = 0
  let end = 0
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0
    used += quotedBytes(point)
    if (used > maxBytes) break
    end += point > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * Returns the bytes of one code point of JSON text within a JSON string. JSON text has no raw control characters, so
 * only quotes and backslashes grow.
 */
function quotedBytes(point: number): number {
  if (point === 0x22 || point === 0x5c) return 2
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point > 0xffff ? 4 : 3
}

/** Images that a result may have. Together they may have as many bytes as one file. */
const maxImages = 8
/**
 * Providers refuse a request with more, which would end the run. docs.aws.amazon.com/bedrock/latest/APIReference/
 * API_runtime_Message.html: 20 in a message, which all results of a round are.
 * platform.claude.com/docs/en/build-with-claude/ vision.md: 100 in a request, of which 20 are left to the files of the
 * prompt. Read on 2026-11-23.
 */
const maxRoundImages = 20
const maxRunImages = 80

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`
const leftOutFor = {
  type: 'not PNG, JPEG, WebP or GIF',
  pixels: 'it is not clear that they have at most 100 million pixels',
  count: `a result may have up to ${maxImages} images`,
  round: `the results of a round may have up to ${maxRoundImages} images together`,
  many: `the results of a run may have up to ${maxRunImages} images together`,
  result: `the images of a result may have up to ${mebibytes(maxFileBytes)} together`,
  run: `the files and images of a run may have up to ${mebibytes(maxRunFileBytes)} together`,
  storage: 'storing them failed',
}
type Why = keyof typeof leftOutFor

type Caller = { tool: ExecutableTool; callId: string }
type KeptImages = Pick<Extract<Outcome, { type: 'ok' }>, 'images'> & { lostImages?: LeftOut[] }

/**
 * Stores the images of a result, each once by its bytes, and returns their facts for the journal, never the bytes.
 * Anything that is not an image or exceeds a limit is left out, which `lostImages` says. Throws nothing but `JournalLostError`.
 */
export async function keepImages(
  step: RunStep,
  caller: Caller,
  returned: readonly ToolImage[],
): Promise<KeptImages> {
  const { fit, leftOut } = chooseImages(step, caller, returned)
  if (fit.length > 0 && !(await saveImages(step, fit))) {
    leftOut.set('storage', fit.splice(0).length)
    step.images.delete(caller.callId)
  }
  return {
    ...(fit.length > 0 && { images: fit.map(({ file }) => file) }),
    lostImages: [...leftOut].map(([why, count]) => ({
      what: countOf(count, 'image'),
      why: leftOutFor[why],
    })),
  }
}

/** Chooses the images that fit and counts them at once, because other calls of the round return images, too. */
function chooseImages(step: RunStep, { tool, callId }: Caller, returned: readonly ToolImage[]) {
  const fit: SavedImage[] = []
  const leftOut = new Map<Why, number>()
  const before = soFar(step)
  let bytes = 0
  for (const { data, name } of returned) {
    const type = imageTypeOf(data)
    const why = whyLeftOut(type, data, { place: fit.length, bytes: bytes + data.length, before })
    if (type === null || why !== null) {
      const counted = why ?? 'type'
      leftOut.set(counted, (leftOut.get(counted) ?? 0) + 1)
      continue
    }
    bytes += data.length
    const content = new Uint8Array(data)
    const file: RunFile = {
      id: step.deps.newId(),
      name: cleanFileName(name ?? `${tool.name}-${fit.length + 1}.${type.replace('image/', '')}`),
      type,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      dataClass: tool.dataClass,
    }
    fit.push({ file, content })
  }
  if (fit.length > 0) {
    step.images.set(
      callId,
      fit.map(({ file }) => file),
    )
  }
  return { fit, leftOut }
}

type Before = { bytes: number; inRun: number; inRound: number }

/**
 * Returns why an image is left out. `place`: how many images are chosen before it. `bytes`: of them and itself;
 * `before`: of the run until this result.
 */
function whyLeftOut(
  type: FileType | null,
  data: Uint8Array,
  { place, bytes, before }: { place: number; bytes: number; before: Before },
): Why | null {
  if (type === null) return 'type'
  if (!isModest(imageSizeOf(data))) return 'pixels'
  if (place >= maxImages) return 'count'
  if (before.inRound + place >= maxRoundImages) return 'round'
  if (before.inRun + place >= maxRunImages) return 'many'
  if (bytes > maxFileBytes) return 'result'
  return before.bytes + bytes > maxRunFileBytes ? 'run' : null
}

/**
 * Counts the images of the prompt, of earlier calls and of the calls of this round. The state of the step is not
 * enough: events of parallel calls would be missing.
 */
function soFar(step: RunStep): Before {
  const { rounds } = step.state()
  const files = startOf(step.state()).files ?? []
  const returned = ({ calls }: Pick<RoundView, 'calls'>) =>
    calls.flatMap((call) => step.images.get(call.callId) ?? imagesOf(call))
  const images = rounds.flatMap(returned)
  const inRound = returned(rounds.at(-1) ?? { calls: [] }).length
  const bytes = [...files, ...images].reduce((sum, file) => sum + file.bytes, 0)
  return { bytes, inRun: images.length, inRound }
}

/** Stores the images. A failure leaves them out, because the result matters more. */
async function saveImages(step: RunStep, images: readonly SavedImage[]): Promise<boolean> {
  try {
    await step.deps.journal.saveImages(images)
    return true
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(step.deps, error)
    return false
  }
}
