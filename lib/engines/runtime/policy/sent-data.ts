import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { DataClass, RunFile } from '@/lib/protocol/tool'
import { isImage } from '@/lib/words/format'
import { className, dataLimit, isWithin, receives } from './gates'

/** Returns whether a text is among the files, which is fenced like what tools return. */
export function hasText(files: readonly RunFile[] = []): boolean {
  return files.some(({ type }) => type === 'text/plain')
}

/** Returns why this model does not get the files of a run, as a sentence; null = it does. */
export function fileRefusal(
  target: ModelTarget,
  files: readonly RunFile[],
  raised: DataClass | null,
): string | null {
  for (const file of files) {
    const reason = unreadable(target, file) ?? tooSensitive(target, file, raised)
    if (reason !== null) return reason
  }
  return null
}

/** Returns why a model cannot read a file; null = it can, or that is unknown. */
export function unreadable({ modelId, wire, vision }: ModelTarget, file: RunFile): string | null {
  if (isImage(file.type) && vision === false)
    return `${modelId} does not take images. Remove “${file.name}”, or pick a model that does.`
  if (file.type === 'application/pdf' && wire === 'ollama')
    return `Models on Ollama take no PDF files, and ${modelId} is one. Remove “${file.name}”, or attach its text.`
  return null
}

/** Data of a request beside prompts: files, and results of tools in earlier turns. */
type Sent = {
  files: readonly RunFile[]
  results: readonly { name: string; dataClass: DataClass }[]
}

/** Returns why a provider may not get what is sent, as a sentence; null = it may (SPEC G7). */
export function dataRefusal(
  target: ModelTarget,
  { files, results }: Sent,
  raised: DataClass | null,
): string | null {
  const { connectionName, trustZone } = target
  const limit = dataLimit(trustZone, raised)
  const refused = results.find(({ dataClass }) => !isWithin(dataClass, limit))
  if (!refused) return fileRefusal(target, files, raised)
  return `An earlier turn has what ${refused.name} returned, which is ${className(refused.dataClass)} data, and ${receives(connectionName, trustZone, limit)}`
}

function tooSensitive(
  { connectionName, trustZone }: ModelTarget,
  { name, dataClass }: RunFile,
  raised: DataClass | null,
): string | null {
  const limit = dataLimit(trustZone, raised)
  if (isWithin(dataClass, limit)) return null
  return `“${name}” is ${className(dataClass)} data, and ${receives(connectionName, trustZone, limit)}`
}
