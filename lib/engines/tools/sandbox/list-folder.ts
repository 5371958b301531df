import { lstat, opendir } from 'node:fs/promises'
import { codeOf, type Folder, pathIn } from './contained'
import { isVisible } from './workspace-path'

/** Maximum names of a folder that are read; the rest is counted as "more". */
const mostNames = 20_000

/** Why tools do not see some names. */
export const hiddenNames =
  'most names with a dot in front, those of secrets and those that nobody can type are not shown'

type EntryKind = 'file' | 'folder' | 'link' | 'other'
/** `bytes` null = it is no file. `changed`: ISO 8601, UTC. */
export type Entry = { name: string; kind: EntryKind; bytes: number | null; changed: string }

/**
 * Returns the names in a folder that tools may see, in their order, how many others they may not, and whether there are more than
 * were read.
 */
export async function visibleNames(
  folder: Folder,
  signal: AbortSignal,
): Promise<{ names: string[]; hidden: number; areAll: boolean }> {
  const names: string[] = []
  let read = 0
  let hidden = 0
  // The dot makes the system open the folder of the descriptor, not the link that stands for it.
  for await (const { name } of await opendir(pathIn(folder, '.'), { bufferSize: 256 })) {
    signal.throwIfAborted()
    read += 1
    if (read > mostNames) return { names: names.sort(), hidden, areAll: false }
    if (isVisible(name)) names.push(name)
    else hidden += 1
  }
  return { names: names.sort(), hidden, areAll: true }
}

/** Returns what a name in a folder is, without following it; null = it is gone. */
export async function entryOf(folder: Folder, name: string): Promise<Entry | null> {
  try {
    const stats = await lstat(pathIn(folder, name))
    const kind = kindOf(stats)
    const bytes = kind === 'file' ? stats.size : null
    return { name, kind, bytes, changed: stats.mtime.toISOString() }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

type Kinds = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }

function kindOf(stats: Kinds): EntryKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
