import { constants, type Dirent } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import type { MountPoint } from '@/lib/engines/programs/command-sandbox'
import { ToolError } from '@/lib/protocol/tool'
import {
  type GitEntries,
  isRepository,
  noteGitEntry,
  type Replacement,
  replacementsIn,
} from './repositories'
import { isSecretName } from './workspace-path'

/**
 * The places below a workspace that a program sees in another way. `files` and `folders` have the name of a secret and are empty;
 * `ids`: the device and number of each of them, which stay when it is moved; `replaced`: settings and hooks of repositories;
 * `repositories`: the outermost of these, and files that lead to one.
 */
export type CoveredPlaces = {
  files: string[]
  folders: string[]
  ids: string[]
  replaced: Replacement[]
  repositories: string[]
}

const mostEntries = 200_000
const mostPlaces = 500
/** bubblewrap takes 9,000 words. */
const mostFolders = 1_000

type OpenFolder = { place: string; isGit: boolean; isInRepository: boolean }

/**
 * Finds the secrets, by their names, and the repositories below a workspace. Links are not followed: in a sandbox they lead nowhere
 * else. Names are no secrets below `.git`, where they are branches. Throws ToolError when the workspace is too large to be
 * looked through.
 */
export async function findCoveredPlaces(root: string): Promise<CoveredPlaces> {
  const found: CoveredPlaces = { files: [], folders: [], ids: [], replaced: [], repositories: [] }
  const pending: OpenFolder[] = [{ place: '', isGit: false, isInRepository: false }]
  let entries = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const { place, isGit, isInRepository } = folder
    const below: OpenFolder[] = []
    const gitEntries: GitEntries = new Map()
    for await (const entry of await entriesOf(root, place)) {
      entries += 1
      if (entries > mostEntries) throw tooLarge()
      const { name } = entry
      const inside = place === '' ? name : `${place}/${name}`
      noteGitEntry(gitEntries, entry)
      const isSecret = !isGit && isSecretName(name)
      if (name.includes('\uFFFD') && (isSecret || entry.isDirectory())) throw unreadable(inside)
      if (isSecret) {
        if (entry.isDirectory()) found.folders.push(inside)
        else if (entry.isFile()) found.files.push(inside)
      } else if (entry.isDirectory())
        below.push({ place: inside, isGit: isGit || name === '.git', isInRepository })
      else if (name === '.git' && entry.isFile() && !isInRepository) found.repositories.push(inside)
    }
    const isOutermost = !isInRepository && place !== '' && isTop(place, gitEntries)
    if (isOutermost) found.repositories.push(place)
    for (const each of below)
      pending.push({ ...each, isInRepository: isInRepository || isOutermost })
    found.replaced.push(...(await replacementsIn(root, place, gitEntries)))
    if (sizeOf(found) > mostPlaces) throw tooLarge()
  }
  for (const place of [...found.files, ...found.folders]) {
    // One that went meanwhile leaves a place that is made anew, and seen as such later.
    const stats = await lstat(`${root}/${place}`, { bigint: true }).catch(() => null)
    if (stats) found.ids.push(`${stats.dev}:${stats.ino}`)
  }
  return found
}

/**
 * Opens a folder. One that is gone has no entries. One that cannot be listed could still be used by a program that knows its
 * names, so that nothing runs.
 */
async function entriesOf(root: string, place: string): Promise<AsyncIterable<Dirent>> {
  try {
    return await opendir(`${root}/${place}`, { bufferSize: 512 })
  } catch (error) {
    if (place !== '' && Object(error).code === 'ENOENT') return none()
    throw unreadable(place)
  }
}

/** Says which place is in the way. U+FFFD is read for bytes that are no text, so a name with it may lead to another file or folder. */
function unreadable(place: string): ToolError {
  return new ToolError(
    'workspace-unreadable',
    `No program can be run in this workspace: the server cannot read "${place}" in it. Correct its rights or its name, or remove it.`,
  )
}

/** Returns the folders that places below a workspace are in, each before those in it. */
export function foldersAround(places: readonly string[]): string[] {
  const found = new Set<string>()
  for (const place of places)
    for (let end = place.indexOf('/'); end !== -1; end = place.indexOf('/', end + 1))
      found.add(place.slice(0, end))
  if (found.size > mostFolders) throw tooLarge()
  return [...found].sort()
}

const { O_NOFOLLOW } = constants
/** Finds a file without opening it. Node does not name it. */
const O_PATH = 0o10000000

/** Returns what is at places below a workspace. No link is followed, so that nothing outside is taken for it. */
export async function placesAt(root: string, places: readonly string[]): Promise<MountPoint[]> {
  const found: MountPoint[] = []
  for (const place of places) found.push({ place, id: await idOf(root, place).catch(() => '') })
  return found
}

async function idOf(root: string, place: string): Promise<string> {
  let at = await open(root, O_PATH | O_NOFOLLOW)
  try {
    for (const part of place.split('/')) {
      const next = await open(`/proc/self/fd/${at.fd}/${part}`, O_PATH | O_NOFOLLOW)
      await at.close()
      at = next
    }
    const { dev, ino } = await at.stat({ bigint: true })
    return `${dev}:${ino}`
  } finally {
    await at.close()
  }
}

async function* none(): AsyncGenerator<never> {}

function isTop(place: string, gitEntries: GitEntries): boolean {
  return place === '.git' || place.endsWith('/.git') || isRepository(gitEntries)
}

function sizeOf({ files, folders, replaced, repositories }: CoveredPlaces): number {
  return files.length + folders.length + replaced.length + repositories.length
}

function tooLarge(): ToolError {
  return new ToolError(
    'workspace-too-large',
    `No program can be run in this workspace: it has more than ${mostEntries} files and folders, or more than ${mostPlaces} secrets and repositories to cover.`,
  )
}
