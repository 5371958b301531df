import { isDeepStrictEqual } from 'node:util'
import {
  isKnownProgram,
  isWriter,
  programArguments,
  programEnvironment,
} from '@/lib/domains/programs/shared/known-programs'
import { refusedArgument } from '@/lib/domains/programs/shared/program-rules'
import type { Box, nothingCovered, Owner } from '@/lib/engines/programs/command-sandbox'
import {
  type DiskExcess,
  type DiskWatch,
  excessAtStart,
  measureDisk,
} from '@/lib/engines/programs/disk-use'
import { lockFolder } from '@/lib/engines/programs/lock-folder'
import { mostPrograms, programPlaces, type WaitReason } from '@/lib/engines/programs/program-places'
import {
  type CommandEnd,
  type OpenedFolder,
  runCommand,
  type StopReason,
} from '@/lib/engines/programs/run-command'
import { clearSetIdFiles } from '@/lib/engines/programs/set-id-files'
import { standIns } from '@/lib/engines/programs/stand-ins'
import { ownerProblem, programUser } from '@/lib/engines/programs/workspace-owner'
import { isIn } from '@/lib/kernel/protected-folders'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type CallContext, type JsonValue, type LeftOut, ToolError } from '@/lib/protocol/tool'
import type { ToolContext } from './define-tool'
import { redactedParts } from './left-out'
import { byLine } from './redacted-lines'
import { changedFiles } from './sandbox/changed-files'
import { type Folder, spelledParts, withFolder } from './sandbox/contained'
import { findCoveredPlaces, foldersAround, placesAt } from './sandbox/secret-files'
import { notPermitted, partsOf } from './sandbox/workspace-path'
import type { ToolResources, UsableProgram, UsableWorkspace } from './tool-resources'
import { requireWorkspace } from './workspace-access'

const mebibyte = 1024 * 1024
export const mostOutputBytes = mebibyte
const mostProcesses = 64

type ProgramResult = { content: JsonValue; leftOut: LeftOut[] }

type Asked = { workspace: string; program: string; arguments: string[]; folder: string }

/** A sandbox without what is covered in its workspace, which is looked for when its turn comes. */
type UncoveredBox = Omit<Box, keyof typeof nothingCovered>

/** A command that may run: `place` names the folder as models know it. */
type Prepared = {
  argv: readonly string[]
  place: string
  box: UncoveredBox | null
  program: UsableProgram
  workspace: OpenedFolder
  folder: OpenedFolder
  /** The program may write to its workspace, or another one may, so it runs there alone. */
  isAlone: boolean
}

/** Finds program and folder of a call, and checks its arguments. Throws ToolError with what the model can do. */
export async function prepareCommand(input: Asked, resources: ToolResources): Promise<Prepared> {
  const workspace = await requireWorkspace(resources, input.workspace)
  const program = await requireProgram(resources, input.program)
  const refusal = refusedArgument(program.name, program.rules, input.arguments)
  if (refusal !== null) throw new ToolError('argument-refused', refusal)
  const { root } = workspace
  const parts = await spelledParts(root, partsOf(input.folder))
  const [top, begin] = [await factsOf(root, []), await factsOf(root, parts)]
  const problem = program.isBoxed ? ownerProblem(top.owner) : null
  if (problem !== null) throw new ToolError('workspace-not-ready', problem)
  const below = parts.join('/')
  const box = program.isBoxed ? boxOf(program, workspace, top.owner) : null
  return {
    argv: [program.path, ...program.first, ...programArguments(program.path, input.arguments)],
    place: [workspace.name, ...parts].join('/'),
    box,
    program,
    workspace: { id: top.id, path: root },
    folder: { id: begin.id, path: box ? below || '.' : [root, ...parts].join('/') },
    isAlone: workspace.isWritable || !box,
  }
}

function boxOf(
  program: UsableProgram,
  { root, isWritable }: UsableWorkspace,
  owner: Owner,
): UncoveredBox {
  const { network, readable } = program
  const isReader = isKnownProgram(program.name) && !isWriter(program.name)
  return { root, isWritable: isWritable && !isReader, network, readable, owner: programUser(owner) }
}

/** Covers what a program must not see or change of a workspace as it is now. */
async function covered(box: UncoveredBox, program: UsableProgram): Promise<Box> {
  const { files, folders, ids, replaced, repositories } = await findCoveredPlaces(box.root)
  const { emptyFolder, settings } = await standIns()
  const emptied = replaced.filter(({ by }) => by === 'empty-folder').map(({ place }) => place)
  const isSeen = (place: string) => !emptied.some((each) => `${place}/`.startsWith(`${each}/`))
  const found = (places: readonly string[]) => placesAt(box.root, places.filter(isSeen))
  return {
    ...box,
    hidden: { files, folders, ids },
    replaced: replaced.map(({ place, by }) => ({
      place,
      by: by === 'empty-folder' ? emptyFolder : settings(by),
    })),
    readOnly: await found(isKnownProgram(program.name) ? repositories : []),
    held: await found(box.isWritable ? foldersAround([...files, ...folders]) : []),
  }
}

async function requireProgram({ programs }: ToolResources, name: string): Promise<UsableProgram> {
  const found = await programs.find(name)
  if (found?.problem) throw new ToolError('program-not-ready', found.problem)
  if (found) return found
  const names = await programs.names()
  const words = names.length === 0 ? 'None is listed.' : `Listed are: ${names.join(', ')}.`
  throw new ToolError('not-found', `No program of this name is listed. ${words}`)
}

/** Returns what tells the folder from any other one, its device and its number there, and whom it belongs to. */
async function factsOf(
  root: string,
  parts: readonly string[],
): Promise<{ id: string; owner: Owner }> {
  return withFolder(root, parts, async ({ handle }: Folder) => {
    const { dev, ino, uid, gid } = await handle.stat({ bigint: true })
    return { id: `${dev}:${ino}`, owner: { uid: Number(uid), gid: Number(gid) } }
  })
}

/** The longest that a call waits for its turn; its program has all of its own time after that. */
const longestWaitMs = 120_000

/** Runs a program in its turn, and returns what the model gets. Throws ToolError when it did not run. */
export async function runInTurn(input: Asked, context: ToolContext): Promise<ProgramResult> {
  const { resources, signal, tell } = context
  const patience = AbortSignal.timeout(longestWaitMs)
  const until = AbortSignal.any([signal, patience])
  const began = performance.now()
  let waits: string | null = null
  const command = await prepareCommand(input, resources)
  const onWait = (reason: WaitReason) => {
    waits = waitWords[reason]
    tell?.(`Waiting: ${waits}.\n`)
  }
  const inTime = (error: unknown) => {
    if (signal.aborted || !patience.aborted) throw error
    const words = `Nothing was run: ${waits}, for ${longestWaitMs / 1_000} s now. Call it again later.`
    throw new ToolError('busy', words)
  }
  const claim = { folder: command.workspace.path, isAlone: command.isAlone }
  const around = (await resources.workspaces.list()).map(({ root }) => root).sort()
  const shared = around.filter((root) => root !== claim.folder && isIn(claim.folder, root))
  const giveBack = await programPlaces().take(claim, until, onWait).catch(inTime)
  const unlocks: (() => Promise<void>)[] = []
  try {
    for (const each of [...shared.map((folder) => ({ folder, isAlone: false })), claim])
      unlocks.push(await lockFolder(each, until, () => onWait('workspace')).catch(inTime))
    if (waits === null) return await runPrepared(command, context)
    tell?.(`Began after ${Math.ceil((performance.now() - began) / 1_000)} s.\n`)
    // The rights were read before the wait, so they are read again.
    const now = await prepareCommand(input, resources)
    if (!isDeepStrictEqual(now, command)) throw changedMeanwhile()
    return await runPrepared(now, context)
  } finally {
    for (const unlock of unlocks.reverse()) await unlock()
    giveBack()
  }
}

function changedMeanwhile(): ToolError {
  return new ToolError(
    'changed-meanwhile',
    'Nothing was run: the program or the workspace was changed while the call waited for its turn. Call it again.',
  )
}

const waitWords: Record<WaitReason, string> = {
  server: `${mostPrograms} programs run on this server already`,
  workspace: 'another program runs in this workspace',
}

/** Runs a command and returns what the model gets. Throws ToolError when it did not run. */
async function runPrepared(
  { argv, box, program, workspace, folder }: Prepared,
  { signal, tell }: Pick<CallContext, 'signal' | 'tell'>,
): Promise<ProgramResult> {
  const mayWrite = box?.isWritable ?? true
  const disk = mayWrite ? await diskOf(workspace.path, program) : null
  const sandbox = box && (await covered(box, program))
  const lines = tell && byLine(tell)
  const began = Date.now()
  const end = await runCommand({
    argv,
    workspace,
    folder,
    signal,
    disk,
    box: sandbox,
    environment: programEnvironment(program.path),
    limits: {
      ms: program.ms,
      cpuMs: program.ms,
      memoryBytes: program.memoryBytes,
      processes: mostProcesses,
      outputBytes: mostOutputBytes,
    },
    onOutput: lines?.push,
  })
  lines?.close()
  if (end.failure === 'folder') throw notPermitted()
  if (mayWrite) await clearSetIdFiles(workspace.path, workspace.id).catch(refuseMoved)
  if (end.failure === 'sandbox')
    throw new ToolError(
      'program-not-ready',
      `No sandbox could be made for ${program.name} in this workspace: its owner on the server may not enter all of its folders, or files were moved meanwhile.`,
    )
  if (end.failure === 'program')
    throw new ToolError(
      'program-not-ready',
      `${program.name} could not be started on this server, or its arguments are too long together.`,
    )
  if (end.excess) throw await tooLarge(end.excess, program, { root: workspace.path, began })
  const isShown = sandbox === null || (await wereHidden(sandbox))
  return answerOf(end, program, isShown)
}

const withheld: LeftOut = {
  what: 'all that it wrote to its output',
  why: 'while it ran, a file or folder with the name of a secret came into the workspace, so it may have been read; what the program did stays',
  isWithheld: true,
}

/** Returns whether all that has the name of a secret now was hidden from a program that ran. */
async function wereHidden({ root, hidden }: Box): Promise<boolean> {
  const now = await findCoveredPlaces(root).catch(() => null)
  return now?.ids.every((id) => hidden.ids.includes(id)) ?? false
}

function refuseMoved(): never {
  throw new ToolError(
    'workspace-not-ready',
    'The program ran, but the folder of the workspace was moved or closed meanwhile, so its output is withheld.',
  )
}

/** Returns how a workspace is watched while a program writes to it. Throws ToolError when it has no room left. */
async function diskOf(folder: string, program: UsableProgram): Promise<DiskWatch> {
  const limits = program.disk
  const before = await measureDisk(folder)
  const excess = excessAtStart(before, limits)
  if (excess === null) return { folder, before, limits }
  const cure =
    excess.kind === 'free'
      ? 'A person has to make room on it.'
      : 'Delete files of it, or let an admin raise the limit.'
  throw new ToolError('disk', `Nothing was run: ${excessWords(excess, program)}. ${cure}`)
}

/** The clock of a file system is a little behind. */
const clockMs = 50

async function tooLarge(
  excess: DiskExcess,
  program: UsableProgram,
  { root, began }: { root: string; began: number },
): Promise<ToolError> {
  const files = await changedFiles(root, began - clockMs)
  const stays = files.length === 0 ? '' : ` What it wrote stays: ${files.join(', ')}.`
  return new ToolError(
    'disk',
    `${program.name} was stopped with all that it started, because ${excessWords(excess, program)}.${stays}`,
  )
}

function excessWords({ kind, bytes }: DiskExcess, { disk }: UsableProgram): string {
  const words = {
    call: `it added ${inMebibytes(bytes)} to the workspace, and a call may add ${inMebibytes(disk.callBytes)}`,
    workspace: `the workspace holds ${inMebibytes(bytes)}, and may hold ${inMebibytes(disk.workspaceBytes)}`,
    free: `the disk of the workspace has ${inMebibytes(bytes)} left, and ${inMebibytes(disk.freeBytes)} stay free`,
    files: 'it made more files than a workspace may have',
  }
  return words[kind]
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte).toLocaleString('en')} MiB`
}

function answerOf(end: CommandEnd, program: UsableProgram, isShown: boolean): ProgramResult {
  const { exitCode, stop, encoding } = end
  const [output, errors] = isShown ? [end.output, end.errors] : ['', '']
  const shown = [output, errors].map((text) => redactText(text, { hashes: true }))
  return {
    content: {
      exitCode,
      ...(stop && { stopped: stopWords(stop, program) }),
      output: shown[0] ?? '',
      ...(errors !== '' && { errors: shown[1] ?? '' }),
      ...(encoding !== null && { encoding }),
    },
    leftOut: [
      ...(stop
        ? [{ what: 'what it would have done and written next', why: 'it was stopped' }]
        : []),
      ...(isShown ? [] : [withheld]),
      ...redactedParts([output, errors], shown),
    ],
  }
}

function stopWords(stop: StopReason, { name, ms, memoryBytes }: UsableProgram): string {
  const used = {
    time: `it took longer than ${ms / 1_000} s`,
    memory: `it used more than ${memoryBytes / mebibyte} MiB of memory`,
    cpu: `it used more than ${ms / 1_000} s of processor time`,
    processes: `it had more than ${mostProcesses} processes`,
    output: `it wrote more than ${mostOutputBytes / mebibyte} MiB`,
    disk: 'it wrote too much',
    stopped: 'the call was stopped',
  }
  return `${name} was stopped with all that it started, because ${used[stop]}. What it did until then stays.`
}
