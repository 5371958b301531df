import type { Box, Owner } from '@/lib/engines/programs/command-sandbox'
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
import { ownerTrouble, programUser } from '@/lib/engines/programs/workspace-owner'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { programEnvironment } from '@/lib/protocol/known-programs'
import { refusedArgument } from '@/lib/protocol/program-rules'
import { type CallContext, type JsonValue, ToolError } from '@/lib/protocol/tool'
import type { ToolContext } from './define-tool'
import { changedFiles } from './sandbox/changed-files'
import { type Folder, withFolder } from './sandbox/contained'
import { findSecretPlaces } from './sandbox/secret-files'
import { notPermitted, partsOf } from './sandbox/workspace-path'
import { byLine } from './told-lines'
import type { ToolResources, UsableProgram, UsableWorkspace } from './tool-resources'
import { requireWorkspace } from './workspace-access'

const mebibyte = 1024 * 1024
export const mostOutputBytes = mebibyte
const mostProcesses = 64

type Asked = { workspace: string; program: string; arguments: string[]; folder: string }

/** A command that may run: `place` names the folder as models know it. */
type Prepared = {
  argv: readonly string[]
  place: string
  box: Box | null
  /** Tools may write files of the workspace. */
  isWritable: boolean
  program: UsableProgram
  workspace: OpenedFolder
  folder: OpenedFolder
}

/** Finds the workspace and the program of a call, and checks its arguments. Throws ToolError with what the model can do. */
async function findCommand(
  asked: Asked,
  resources: ToolResources,
): Promise<{ workspace: UsableWorkspace; program: UsableProgram }> {
  const workspace = await requireWorkspace(resources, asked.workspace)
  const program = await requireProgram(resources, asked.program)
  const refusal = refusedArgument(program.name, program.rules, asked.arguments)
  if (refusal !== null) throw new ToolError('argument-refused', refusal)
  return { workspace, program }
}

/** Finds program and folder of a call, and looks for what is hidden from it. Throws ToolError with what the model can do. */
export async function prepareCommand(asked: Asked, resources: ToolResources): Promise<Prepared> {
  const { workspace, program } = await findCommand(asked, resources)
  const parts = partsOf(asked.folder)
  const { root } = workspace
  const [top, begin] = [await factsOf(root, []), await factsOf(root, parts)]
  const trouble = program.isBoxed ? ownerTrouble(top.owner) : null
  if (trouble !== null) throw new ToolError('workspace-not-ready', trouble)
  const below = parts.join('/')
  const box = program.isBoxed && {
    root,
    isWritable: workspace.isWritable,
    network: program.network,
    readable: program.readable,
    hidden: await findSecretPlaces(root),
    owner: programUser(top.owner),
  }
  return {
    argv: [program.path, ...program.first, ...asked.arguments],
    place: [workspace.name, ...parts].join('/'),
    box: box || null,
    isWritable: workspace.isWritable,
    program,
    workspace: { id: top.id, path: root },
    folder: { id: begin.id, path: box ? below || '.' : [root, ...parts].join('/') },
  }
}

async function requireProgram({ programs }: ToolResources, name: string): Promise<UsableProgram> {
  const found = await programs.find(name)
  if (found?.trouble) throw new ToolError('program-not-ready', found.trouble)
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
export async function runInTurn(asked: Asked, context: ToolContext): Promise<JsonValue> {
  const { resources, signal, tell } = context
  const { workspace, program } = await findCommand(asked, resources)
  const patience = AbortSignal.timeout(longestWaitMs)
  const until = AbortSignal.any([signal, patience])
  const began = performance.now()
  let waits: string | null = null
  const onWait = (reason: WaitReason) => {
    waits = waitWords[reason]
    tell?.(`Waiting: ${waits}.\n`)
  }
  const inTime = (error: unknown) => {
    if (signal.aborted || !patience.aborted) throw error
    const words = `Nothing was run: ${waits}, for ${longestWaitMs / 1_000} s now. Call it again later.`
    throw new ToolError('busy', words)
  }
  const folder = workspace.isWritable || !program.isBoxed ? workspace.root : null
  const giveBack = await programPlaces().take(folder, until, onWait).catch(inTime)
  try {
    const unlock =
      folder && (await lockFolder(folder, until, () => onWait('workspace')).catch(inTime))
    try {
      if (waits !== null)
        tell?.(`Began after ${Math.ceil((performance.now() - began) / 1_000)} s.\n`)
      // Also asks again what it may do, which may have changed while it waited.
      return await runPrepared(await prepareCommand(asked, resources), context)
    } finally {
      if (unlock) await unlock()
    }
  } finally {
    giveBack()
  }
}

const waitWords: Record<WaitReason, string> = {
  server: `${mostPrograms} programs run on this server already`,
  workspace: 'another program runs in this workspace',
}

/** Runs a command and returns what the model gets. Throws ToolError when it did not run. */
export async function runPrepared(
  { argv, box, isWritable, program, workspace, folder }: Prepared,
  { signal, tell }: Pick<CallContext, 'signal' | 'tell'>,
): Promise<JsonValue> {
  const disk = !box || box.isWritable ? await diskOf(workspace.path, program) : null
  const lines = tell && byLine(tell)
  const began = Date.now()
  const end = await runCommand({
    ...{ argv, box, workspace, folder, signal, disk },
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
  if (isWritable) await clearSetIdFiles(workspace.path, workspace.id).catch(refuseMoved)
  if (end.failure === 'sandbox')
    throw new ToolError(
      'program-not-ready',
      `No sandbox could be made for ${program.name} in this workspace: its owner on the server may not enter all of its folders, or files were moved meanwhile.`,
    )
  if (end.failure === 'program')
    throw new ToolError('program-not-ready', `${program.name} could not be started on this server.`)
  if (end.excess) throw await tooLarge(end.excess, program, { root: workspace.path, began })
  const isShown = box === null || (await wereHidden(box))
  return answerOf(isShown ? end : { ...end, output: withheld, errors: '' }, program)
}

const withheld =
  'The output is withheld: while the program ran, a file or folder with the name of a secret came into the workspace, so it may have been read. What the program did stays.'

/** Returns whether all that has the name of a secret now was hidden from a program that ran. */
async function wereHidden({ root, hidden }: Box): Promise<boolean> {
  const now = await findSecretPlaces(root).catch(() => null)
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

function answerOf(end: CommandEnd, program: UsableProgram): JsonValue {
  const { exitCode, stop, output, errors } = end
  return {
    exitCode,
    ...(stop && { stopped: stopWords(stop, program) }),
    output: redactText(output, { hashes: true }),
    ...(errors !== '' && { errors: redactText(errors, { hashes: true }) }),
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
