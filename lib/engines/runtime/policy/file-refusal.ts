import type { ModelTarget } from '@/lib/protocol/model-target'
import { isImage, type RunFile } from '@/lib/protocol/run-file'
import type { DataClass } from '@/lib/protocol/tool'
import { className, dataLimit, isWithin, receives } from './trust-zone'

/** Whether a text is among the files: it is fenced like what tools return. */
export function hasText(files: readonly RunFile[] = []): boolean {
  return files.some(({ type }) => type === 'text/plain')
}

/** Why this model does not get the files of a run, as a sentence; null = it does. */
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

/** Why a model cannot read a file; null = it can, or nobody knows. */
export function unreadable({ modelId, wire, vision }: ModelTarget, file: RunFile): string | null {
  if (isImage(file.type) && vision === false)
    return `${modelId} does not take images. Remove “${file.name}”, or pick a model that does.`
  if (file.type === 'application/pdf' && wire === 'ollama')
    return `Models on Ollama take no PDF files, and ${modelId} is one. Remove “${file.name}”, or attach its text.`
  return null
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
