import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import type { AssetMeta, UsableStorage } from './storage-resources'
import type { ToolResources } from './tool-resources'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const mostNames = 30

/** Returns the schema of the parameter that names a storage. */
export function storageSchema() {
  const words = 'The name of a storage. A wrong one is answered with those you may use.'
  return z.string().max(100).describe(words)
}

/** Returns the schema of the parameter that names an asset. */
export function uidSchema() {
  return z
    .string()
    .max(100)
    .describe("The asset's uid, a UUID that browse_folder and search_files return.")
}

/** Returns the storage of this name. Throws ToolError that names those that may be used. */
export async function requireStorage(
  { storages }: ToolResources,
  name: string,
): Promise<UsableStorage> {
  const usable = await storages.list()
  const found = usable.find((each) => each.name === name)
  if (found) return found
  throw new ToolError('not-found', `Storage not found or not permitted. ${namesOf(usable)}`)
}

function namesOf(usable: readonly UsableStorage[]): string {
  if (usable.length === 0) return 'There is none that you may use.'
  const names = usable.slice(0, mostNames).map(({ name }) => name)
  const more = usable.length > names.length ? ' and others' : ''
  return `You may use: ${names.join(', ')}${more}.`
}

/** Returns the uid as it is stored. Text that is no uid gets the same words as an asset that does not exist. */
export function assetUid(text: string): string {
  if (!uuid.test(text)) throw notPermitted()
  return text.toLowerCase()
}

/** Returns what is said of an asset that does not exist, and of one that this actor may not use. */
export function notPermitted(): ToolError {
  return new ToolError('not-found', 'Asset not found or not permitted.')
}

/** Returns an asset as a model may see it: without secrets in the texts that people wrote. */
export function shownAsset(asset: AssetMeta): AssetMeta {
  const { path, title, alternativeText } = asset
  return {
    ...asset,
    path: shownText(path),
    title: shownText(title),
    alternativeText: shownText(alternativeText),
  }
}

/** Returns a text that people wrote as a model may see it. */
export function shownText(text: string): string {
  return redactText(text, { hashes: true })
}

/** Returns what lists say of an asset. */
export function assetLine(asset: AssetMeta) {
  const { uid, storage, path, title, alternativeText, mediaType, bytes } = shownAsset(asset)
  return { uid, storage, path, title, alternativeText, mediaType, bytes }
}
