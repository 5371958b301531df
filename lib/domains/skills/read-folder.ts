import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { AppError, UnavailableError } from '@/lib/kernel/errors'
import { maxBodyBytes, maxBodyWords, maxFrontMatterBytes, SkillFile } from './schemas'
import { parseSkill } from './skill-file'

const maxFiles = 500
const maxFileBytes = 2 * (maxBodyBytes + maxFrontMatterBytes)
const fileName = 'SKILL.md'

/** `path` is relative to the folder; `problem` is one sentence. */
const FolderFile = z.object({ path: z.string(), file: SkillFile })
export type FolderFile = z.output<typeof FolderFile>
export const SkillFolder = z.object({
  files: z.array(FolderFile),
  problems: z.array(z.object({ path: z.string(), problem: z.string() })),
})
type SkillFolder = z.output<typeof SkillFolder>

/**
 * Returns every usable SKILL.md in the folder itself and in the folders directly below, by path; what cannot be used is
 * a problem, not an error. Links that lead out of the folder are not followed. UnavailableError when the folder itself
 * cannot be read, so that nobody takes an unmounted disk for a folder without skills.
 */
export async function readSkillFolder(folder: string): Promise<SkillFolder> {
  const root = await openFolder(folder)
  const found: SkillFolder = { files: [], problems: [] }
  const owners = new Map<string, string>()
  for (const relative of await candidates(root)) {
    const read = await readFile(root, relative)
    if (read === null) continue
    if ('problem' in read) {
      found.problems.push({ path: relative, problem: read.problem })
      continue
    }
    const owner = owners.get(read.file.name)
    if (owner !== undefined) {
      const problem = `It has the same name as ${owner}: ${read.file.name}. Rename one of them.`
      found.problems.push({ path: relative, problem })
      continue
    }
    owners.set(read.file.name, relative)
    found.files.push({ path: relative, file: read.file })
  }
  return found
}

async function openFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    throw new UnavailableError(
      `The skills folder ${folder} cannot be read. Check TOOLGATE_SKILLS_DIR; nothing was changed.`,
    )
  }
}

async function candidates(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true })
    const folders = entries
      .filter(
        (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'),
      )
      .map((entry) => path.join(entry.name, fileName))
    return [fileName, ...folders.toSorted()].slice(0, maxFiles)
  } catch {
    throw new UnavailableError(`The skills folder ${root} cannot be listed; nothing was changed.`)
  }
}

type ReadFile = { file: SkillFile } | { problem: string } | null

/** Returns the file; null when it does not exist. */
async function readFile(root: string, relative: string): Promise<ReadFile> {
  try {
    const target = await realpath(path.join(root, relative))
    if (!target.startsWith(root + path.sep)) {
      return { problem: 'It is a link to a place outside the skills folder.' }
    }
    // Not opened as a pipe, which would wait for a writer forever; a link that was put here since is not followed.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const handle = await open(target, flags)
    try {
      return await parseFile(handle)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isMissing(error)) return null
    if (error instanceof AppError) return { problem: error.message }
    return { problem: 'It cannot be read. Check its permissions.' }
  }
}

async function parseFile(handle: FileHandle): Promise<ReadFile> {
  const facts = await handle.stat()
  if (!facts.isFile()) return { problem: 'It is not a regular file.' }
  if (facts.size > maxFileBytes)
    return { problem: `It is too long. The body may have up to ${maxBodyWords}.` }
  return { file: parseSkill(await handle.readFile()) }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}
