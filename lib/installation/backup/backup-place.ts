import {
  constants,
  type FileHandle,
  link,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { isIn } from '@/lib/kernel/protected-folders'
import { INSTALLATION_ROOT } from '../data-folder'
import { BackupError, beginsBackup } from './backup-file'

/**
 * Returns the path of a new backup with the links of its folder resolved. Throws BackupError for a folder that tools, programs or
 * everybody may read.
 */
export async function requireBackupPlace(
  client: Pick<pg.Client, 'query'>,
  file: string,
): Promise<string> {
  const folder = await realpath(path.dirname(file)).catch(() => null)
  if (folder === null) {
    throw new BackupError(`There is no folder ${path.dirname(file)}. Make it first.`)
  }
  for (const [open, whose] of await openFolders(client)) {
    const real = await realpath(open).catch(() => path.resolve(open))
    if (isIn(folder, real)) {
      throw new BackupError(
        `${folder} is in ${whose}, and a backup holds everything of this installation. Pick another folder.`,
      )
    }
  }
  return path.join(folder, path.basename(file))
}

/** Returns the folders that others than the operator read, each with what it is. */
async function openFolders(client: Pick<pg.Client, 'query'>): Promise<[string, string][]> {
  const { TOOLGATE_EXTRA_TOOLS_DIR: tools, TOOLGATE_SKILLS_DIR: skills } = process.env
  const folders: [string, string][] = [
    [path.join(INSTALLATION_ROOT, 'public'), 'the folder of files that everybody may load'],
    [path.join(INSTALLATION_ROOT, '.next'), 'the folder of the built console'],
  ]
  if (tools) folders.push([tools, 'the folder of extra tools'])
  if (skills) folders.push([skills, 'the folder of skills'])
  const stored = [
    { table: 'workspaces', column: 'realFolder', words: 'a workspace, whose files tools read' },
    { table: 'servers', column: 'cwd', words: 'the folder of an MCP server' },
    { table: 'programs', column: 'readable', words: 'a folder that a program may read' },
  ]
  for (const { table, column, words } of stored) {
    const there = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])
    if (!there.rows[0]?.there) continue
    // A database of an older version may lack the column.
    const { rows } = await client.query<{ value: string | null }>(
      `SELECT to_jsonb(t) ->> $1 AS value FROM ${table} t`,
      [column],
    )
    for (const folder of rows.flatMap(({ value }) => value?.split('\n') ?? [])) {
      if (folder.trim() !== '') folders.push([folder.trim(), words])
    }
  }
  return folders
}

/**
 * Writes a file that only its owner reads. It gets its name when it is whole, so that a killed process leaves no file that looks like
 * a backup, and what it left is deleted by the next one to the same file; `isReplaced` says whether it may take the place of another. Throws BackupError.
 */
export async function writePrivateFile<T>(
  file: string,
  isReplaced: boolean,
  write: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const draft = `${file}.part`
  await sweep(draft)
  const handle = await open(draft, 'wx+', 0o600).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    throw new BackupError(
      `${draft} exists and is no backup that was interrupted. Delete it, or pick another name.`,
      { cause },
    )
  })
  try {
    const written = await write(handle)
    await handle.sync()
    await requireOwn(draft, handle)
    if (isReplaced) await rename(draft, file)
    else await link(draft, file).catch(refuseExisting(file))
    await syncFolder(path.dirname(file))
    return written
  } finally {
    const isOwn = await requireOwn(draft, handle).then(
      () => true,
      () => false,
    )
    await handle.close()
    if (isOwn) await rm(draft, { force: true })
  }
}

/** Deletes what a killed backup left: the beginning of one, or nothing yet. The caller knows that no process of this installation writes it. */
async function sweep(draft: string): Promise<void> {
  const handle = await open(
    draft,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => null)
  if (handle === null) return
  try {
    if ((await handle.stat()).isFile() && (await beginsBackup(handle))) await rm(draft)
  } finally {
    await handle.close()
  }
}

/** Throws when another installation, which writes to the same file, swept this draft. */
async function requireOwn(draft: string, handle: FileHandle): Promise<void> {
  const [own, there] = [await handle.stat(), await stat(draft).catch(() => null)]
  if (own.ino === there?.ino && own.dev === there.dev) return
  throw new BackupError(
    'Another installation writes a backup to this file. Give each a file of its own.',
  )
}

const refuseExisting = (file: string) => (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EEXIST') throw cause
  throw new BackupError(`${file} exists. Pick another name, or replace it with --force.`, { cause })
}

/** Makes the new name last. Not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
