import { createHash } from 'node:crypto'
import { cleanFileName, imageTypeOf } from '@/lib/files/file-type'
import { countOf } from '@/lib/protocol/format'
import type { Outcome } from '@/lib/protocol/outcome'
import { imagesOf } from '@/lib/protocol/result-images'
import { type FileType, maxFileBytes, maxRunFileBytes, type RunFile } from '@/lib/protocol/run-file'
import type { ExecutableTool, ToolImage } from '@/lib/protocol/tool'
import { JournalLostError, type SavedImage } from './deps'
import { reportIncident } from './report-incident'
import { type RunStep, startOf } from './run-step'

/** How many images a result may have. Together they may have as many bytes as one file. */
const maxImages = 8

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`
const leftOutFor = {
  type: 'not PNG, JPEG, WebP or GIF',
  count: `a result may have up to ${maxImages} images`,
  result: `the images of a result may have up to ${mebibytes(maxFileBytes)} together`,
  run: `the files and images of a run may have up to ${mebibytes(maxRunFileBytes)} together`,
  storage: 'storing them failed',
}
type Why = keyof typeof leftOutFor

type Caller = { tool: ExecutableTool; callId: string }
type KeptImages = Pick<Extract<Outcome, { type: 'ok' }>, 'images' | 'imagesLeftOut'>

/**
 * Keeps the images of a result, each once by its bytes, and returns what the journal says of them: never the bytes. What is
 * no image or too much is left out, with a sentence. Throws nothing but `JournalLostError`.
 */
export async function keepImages(
  step: RunStep,
  caller: Caller,
  returned: readonly ToolImage[],
): Promise<KeptImages> {
  const { fit, leftOut } = chooseImages(step, caller, returned)
  if (fit.length > 0 && !(await saveImages(step, fit))) {
    leftOut.set('storage', fit.splice(0).length)
    step.imageBytes?.delete(caller.callId)
  }
  const sentences = [...leftOut].map(
    ([why, count]) =>
      `${countOf(count, 'image')} ${count === 1 ? 'was' : 'were'} left out: ${leftOutFor[why]}.`,
  )
  return {
    ...(fit.length > 0 && { images: fit.map(({ file }) => file) }),
    ...(sentences.length > 0 && { imagesLeftOut: sentences }),
  }
}

/** What fits is counted at once: other calls of the round return images, too. */
function chooseImages(step: RunStep, { tool, callId }: Caller, returned: readonly ToolImage[]) {
  const fit: SavedImage[] = []
  const leftOut = new Map<Why, number>()
  const before = bytesSoFar(step)
  let bytes = 0
  for (const { data, name } of returned) {
    const type = imageTypeOf(data)
    const why = whyLeftOut(type, { place: fit.length, bytes: bytes + data.length, before })
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
    step.imageBytes ??= new Map()
    step.imageBytes.set(callId, bytes)
  }
  return { fit, leftOut }
}

/** `place`: how many images are taken before it. `bytes`: with them and itself; `before`: of the run until this result. */
function whyLeftOut(
  type: FileType | null,
  { place, bytes, before }: { place: number; bytes: number; before: number },
): Why | null {
  if (type === null) return 'type'
  if (place >= maxImages) return 'count'
  if (bytes > maxFileBytes) return 'result'
  return before + bytes > maxRunFileBytes ? 'run' : null
}

/** Bytes of the run's files and of all images that its calls returned. */
function bytesSoFar(step: RunStep): number {
  const now = step.imageBytes ?? new Map<string, number>()
  const files = startOf(step.base).files ?? []
  const kept = step.base.rounds.flatMap(({ calls }) =>
    calls.flatMap((call) => (now.has(call.callId) ? [] : imagesOf(call))),
  )
  const sum = [...files, ...kept].reduce((total, file) => total + file.bytes, 0)
  return [...now.values()].reduce((total, bytes) => total + bytes, sum)
}

/** A result without its images is better than a call without its result. */
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
