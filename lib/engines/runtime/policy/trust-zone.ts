import { inSentence, isImage } from '@/lib/protocol/format'
import type { ModelTarget, TrustZone } from '@/lib/protocol/model-target'
import { DataClass, type RunFile } from '@/lib/protocol/tool'
import { dataClassWords, zoneWords } from '@/lib/protocol/trust-words'
import type { Gate } from './subject'

/** The most sensitive data that may be sent to a provider of each zone (SPEC section 4, gate 7). */
const mostSensitive: Record<TrustZone, DataClass> = {
  local: 'secret-adjacent',
  private: 'diagnostics',
  'external-eu': 'internal-config',
  'external-global': 'content',
}

const sensitivity = (dataClass: DataClass): number => DataClass.options.indexOf(dataClass)

/** Returns what may be sent to a provider of `zone`, or what an admin raised it to: never less than the zone's own. */
export function dataLimit(zone: TrustZone, raised: DataClass | null): DataClass {
  const own = mostSensitive[zone]
  return raised !== null && sensitivity(raised) > sensitivity(own) ? raised : own
}

/** Returns whether data of this class may be sent where data up to `limit` may. */
export function isWithin(dataClass: DataClass, limit: DataClass): boolean {
  return sensitivity(dataClass) <= sensitivity(limit)
}

/** Returns "internal configuration". */
function className(dataClass: DataClass): string {
  return inSentence(dataClassWords[dataClass])
}

/** Returns "OpenAI (external, global) may receive data up to content." */
function receives(connectionName: string, zone: TrustZone, limit: DataClass): string {
  return `${connectionName} (${inSentence(zoneWords[zone])}) may receive data up to ${className(limit)}.`
}

/** Gate 7: what a tool returns may be seen by every provider of the run's chain, so the least trusted one decides. */
export const zone: Gate = {
  name: 'trust-zone',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    const { leastTrusted, raisedDataClass } = configuration
    const limit = dataLimit(leastTrusted.zone, raisedDataClass)
    if (isWithin(tool.dataClass, limit)) return null
    const { connectionName, zone } = leastTrusted
    return `It returns ${className(tool.dataClass)} data, and ${receives(connectionName, zone, limit)}`
  },
}

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

function tooSensitive(
  { connectionName, trustZone }: ModelTarget,
  { name, dataClass }: RunFile,
  raised: DataClass | null,
): string | null {
  const limit = dataLimit(trustZone, raised)
  if (isWithin(dataClass, limit)) return null
  return `“${name}” is ${className(dataClass)} data, and ${receives(connectionName, trustZone, limit)}`
}
