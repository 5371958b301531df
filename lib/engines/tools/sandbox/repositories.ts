import { constants, type Dirent } from 'node:fs'
import { open } from 'node:fs/promises'
import type { RepositoryFormat } from '@/lib/engines/programs/stand-ins'

/** A place below the workspace, and the thing that a program sees there: an empty folder, or settings that name a format alone. */
export type Replacement = { place: string; by: 'empty-folder' | RepositoryFormat }

/** The entries of a folder that git looks for, by their names in lower case, as file systems compare them that ignore case. */
export type GitEntries = Map<string, Dirent>

const gitNames: ReadonlySet<string> = new Set([
  'head',
  'objects',
  'refs',
  'commondir',
  'config',
  'config.worktree',
  'hooks',
])

export function noteGitEntry(found: GitEntries, entry: Dirent): void {
  const name = entry.name.toLowerCase()
  if (gitNames.has(name)) found.set(name, entry)
}

/** Returns whether git may take settings from a folder: an ordinary or bare repository, or the common part of several, which needs no HEAD. */
export function isRepository(found: GitEntries): boolean {
  return found.has('objects') && found.has('refs')
}

/**
 * Returns the replacements of settings and hooks in a folder. A repository is hidden as a whole when its settings cannot be
 * covered, such as a link, or are missing, because they could be written while a program begins.
 */
export async function replacementsIn(
  root: string,
  place: string,
  found: GitEntries,
): Promise<Replacement[]> {
  const isWhole = isRepository(found)
  if (!isWhole && !found.has('commondir')) return []
  if (isWhole && cannotBeCovered(found)) return [{ place, by: 'empty-folder' }]
  const below = (name: string) => (place === '' ? name : `${place}/${name}`)
  const all: Replacement[] = []
  for (const name of ['config', 'config.worktree'])
    if (found.get(name)?.isFile())
      all.push({ place: below(name), by: await formatOf(`${root}/${below('config')}`) })
  if (isWhole && found.get('hooks')?.isDirectory())
    all.push({ place: below('hooks'), by: 'empty-folder' })
  return all
}

function cannotBeCovered(found: GitEntries): boolean {
  if (found.has('head') && !found.has('config')) return true
  return ['config', 'config.worktree', 'hooks'].some((name) => {
    const entry = found.get(name)
    if (entry === undefined || entry.isDirectory()) return false
    return name === 'hooks' || !entry.isFile() || entry.name !== name
  })
}

const mostBytes = 64 * 1024

/** Reads the format of a repository from its settings, and nothing else of them. */
async function formatOf(file: string): Promise<RepositoryFormat> {
  const text = await readBeginning(file).catch(() => '')
  return {
    objects: /\bobjectFormat\s*=\s*"?sha256\b/i.test(text) ? 'sha256' : 'sha1',
    references: /\brefStorage\s*=\s*"?reftable\b/i.test(text) ? 'reftable' : 'files',
  }
}

async function readBeginning(file: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
