import { constants } from 'node:fs'
import { access, chown, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { nobody, nothingCovered, sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { runCommand } from '@/lib/engines/programs/run-command'
import { folderOwnerProblem, programUser } from '@/lib/engines/programs/workspace-owner'
import { db } from '@/lib/kernel/db'
import { isIn, protectionOf } from '@/lib/kernel/protected-folders'
import {
  type KnownProgram,
  knownPrograms,
  needsSandbox,
  programEnvironment,
} from './shared/known-programs'

type Stored = { name: string; path: string; readable: string | null; accepted: string | null }

/**
 * Real path of a program and the paths it may read, as the server finds them; `problem`: the reason why it cannot be
 * run, as a sentence.
 */
export type ProgramPlace =
  | { ok: true; path: string; readable: string[] }
  | { ok: false; field: 'path' | 'readable'; problem: string }

/** Folders that every program sees. */
const seen = ['/usr', '/bin', '/sbin', '/lib', '/lib64']

/**
 * Finds the file of a program and the folders that it may read. `workspaces`: the folders whose files tools may write: a program
 * there could be changed by a run.
 */
export async function findPlace(
  program: Pick<Stored, 'path' | 'readable'>,
  workspaces: readonly string[],
): Promise<ProgramPlace> {
  const file = await realpath(program.path).catch(() => null)
  const facts = file === null ? null : await stat(file).catch(() => null)
  if (file === null || !facts?.isFile())
    return refused('path', 'There is no such file on the server.')
  const isProgram = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isProgram) return refused('path', 'The server may not run this file.')
  if (workspaces.some((folder) => isIn(file, folder)))
    return refused('path', 'It is in a workspace, where tools may change it. Put it elsewhere.')
  const readable: string[] = []
  for (const folder of foldersIn(program.readable)) {
    const real = await realpath(folder).catch(() => null)
    if (real === null) return refused('readable', `There is no ${folder} on the server.`)
    if (workspaces.some((workspace) => isIn(workspace, real) || isIn(real, workspace)))
      return refused('readable', `${folder} ${inWorkspace}`)
    readable.push(real)
  }
  const protection = await protectedReadable(program.readable)
  if (protection !== null) return refused('readable', protection)
  const known = [...seen, ...readable].some((folder) => isIn(file, folder))
  return { ok: true, path: file, readable: known ? readable : [...readable, file] }
}

/** Returns why a program must not read one of its further folders, as a sentence; null = it may read those that exist. */
export async function protectedReadable(readable: string | null): Promise<string | null> {
  for (const folder of foldersIn(readable)) {
    const real = await realpath(folder).catch(() => null)
    if (real === null || seen.some((each) => isIn(real, each))) continue
    const protection = await protectionOf(real, 'program')
    if (protection !== null) return `${folder}: ${protection}`
  }
  return null
}

const inWorkspace =
  'holds a workspace or is in one, where secrets and the settings of repositories are covered. Remove it here.'

function foldersIn(readable: string | null): string[] {
  const lines = (readable ?? '').split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

function refused(field: 'path' | 'readable', problem: string): ProgramPlace {
  return { ok: false, field, problem }
}

/**
 * Returns why a program cannot be run here without a sandbox; null = there is one, or an admin's word. For a program that only the
 * sandbox keeps from starting others, under the name that Toolgate suggests, no word is enough.
 */
export async function missingSandbox({
  name,
  accepted,
}: Pick<Stored, 'name' | 'accepted'>): Promise<string | null> {
  if (accepted === null) return sandboxProblem()
  if (!needsSandbox(name)) return null
  const problem = await sandboxProblem()
  return problem && `${problem} ${needsSandboxWords(name)}`
}

function needsSandboxWords(name: string): string {
  return `Files of a repository make ${name} start other programs, and only a sandbox prevents that, so ${name} is not run without one. If you accept that it starts them, add it under another name.`
}

/** Returns the first line that a program says about its version, from the sandbox alone; null = none. */
export async function readVersion(place: ProgramPlace): Promise<string | null> {
  if (!place.ok || (await sandboxProblem()) !== null) return null
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolgate-version-')))
  try {
    const user = programUser(nobody)
    if (user) await chown(folder, user.uid, user.gid)
    const { dev, ino } = await stat(folder, { bigint: true })
    const opened = { id: `${dev}:${ino}`, path: folder }
    const { exitCode, output } = await runCommand({
      argv: [place.path, '--version'],
      environment: programEnvironment(place.path),
      box: {
        ...nothingCovered,
        root: folder,
        isWritable: false,
        network: false,
        readable: place.readable,
        owner: user,
      },
      workspace: opened,
      folder: { ...opened, path: '.' },
      limits: versionLimits,
      disk: null,
      signal: AbortSignal.timeout(versionLimits.ms),
    })
    const [line = ''] = output.trim().split('\n')
    return exitCode === 0 && line !== '' ? line.slice(0, 200) : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const versionLimits = {
  ms: 3_000,
  memoryBytes: 256 * 1024 * 1024,
  cpuMs: 3_000,
  processes: 32,
  outputBytes: 64 * 1024,
}

/** Returns why this server has no sandbox for programs, as a sentence; null = it has one. */
export function serverProblem(): Promise<string | null> {
  return sandboxProblem()
}

/** Returns the workspaces that are switched on and in which no program can be run because of their owner, and why. */
export async function workspacesWithoutPrograms(): Promise<{ name: string; problem: string }[]> {
  const rows = await db().workspace.findMany({ where: { enabled: true }, orderBy: { name: 'asc' } })
  const found = await Promise.all(
    rows.map(async ({ name, realFolder }) => {
      const problem = await folderOwnerProblem(realFolder)
      return problem === null ? [] : [{ name, problem }]
    }),
  )
  return found.flat()
}

const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin']

/** Returns the known programs that are on this server and that no stored program is called after. */
export async function findKnownPrograms(): Promise<(KnownProgram & { path: string })[]> {
  const stored = await db().program.findMany({ select: { name: true } })
  const names = new Set(stored.map(({ name }) => name))
  const found = await Promise.all(
    knownPrograms
      .filter(({ name }) => !names.has(name))
      .map(async (program) => {
        const paths = await Promise.all(
          usualFolders.map((folder) => executable(`${folder}/${program.name}`)),
        )
        const path = paths.find((each) => each !== null)
        return path ? [{ ...program, path }] : []
      }),
  )
  return found.flat()
}

async function executable(file: string): Promise<string | null> {
  return access(file, constants.X_OK).then(
    () => file,
    () => null,
  )
}
