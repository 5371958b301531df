import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
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

type OpenFolder = { place: string; isGit: boolean; isInRepository: boolean }

/**
 * Finds the secrets, by their names, and the repositories below a workspace. Links are not followed: in a sandbox they lead nowhere
 * else. Names are no secrets below `.git`, where they are branches. Throws ToolError when the workspace is too large to be
 * looked through.
 */
export async function findCoveredPlaces(root: string): Promise<CoveredPlaces> {
  const found: CoveredPlaces = { files: [], folders: [], ids: [], replaced: [], repositories: [] }
  const open: OpenFolder[] = [{ place: '', isGit: false, isInRepository: false }]
  let entries = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { place, isGit, isInRepository } = folder
    const below: OpenFolder[] = []
    const gitEntries: GitEntries = new Map()
    for await (const entry of await entriesOf(root, place)) {
      entries += 1
      if (entries > mostEntries) throw tooLarge()
      const { name } = entry
      const inside = place === '' ? name : `${place}/${name}`
      noteGitEntry(gitEntries, entry)
      if (!isGit && isSecretName(name)) {
        if (entry.isDirectory()) found.folders.push(inside)
        else if (entry.isFile()) found.files.push(inside)
      } else if (entry.isDirectory())
        below.push({ place: inside, isGit: isGit || name === '.git', isInRepository })
      else if (name === '.git' && entry.isFile() && !isInRepository) found.repositories.push(inside)
    }
    const isOutermost = !isInRepository && place !== '' && isTop(place, gitEntries)
    if (isOutermost) found.repositories.push(place)
    for (const each of below) open.push({ ...each, isInRepository: isInRepository || isOutermost })
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
 * Opens a folder. One that is gone has no entries. One that cannot be listed, or whose name is no text, could still be used by a program
 * that knows its names, so that nothing runs.
 */
async function entriesOf(root: string, place: string): Promise<AsyncIterable<Dirent>> {
  try {
    return await opendir(`${root}/${place}`, { bufferSize: 512 })
  } catch (error) {
    const isGone = Object(error).code === 'ENOENT' && !place.includes('\uFFFD')
    if (place !== '' && isGone) return none()
    throw new ToolError(
      'workspace-unreadable',
      `No program can be run in this workspace: the server cannot list its folder "${place}". Correct its rights or its name, or remove it.`,
    )
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
