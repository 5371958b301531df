import type { Box, Owner } from '@/lib/engines/programs/command-sandbox'
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
import { type Folder, withFolder } from './sandbox/contained'
import { findSecretPlaces } from './sandbox/secret-files'
import { notPermitted, partsOf } from './sandbox/workspace-path'
import { byLine } from './told-lines'
import type { ToolResources, UsableProgram } from './tool-resources'
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

/** Finds program and folder of a call, and checks its arguments. Throws ToolError with what the model can do. */
export async function prepareCommand(asked: Asked, resources: ToolResources): Promise<Prepared> {
  const workspace = await requireWorkspace(resources, asked.workspace)
  const program = await requireProgram(resources, asked.program)
  const refusal = refusedArgument(program.name, program.rules, asked.arguments)
  if (refusal !== null) throw new ToolError('argument-refused', refusal)
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

/** Runs a command and returns what the model gets. Throws ToolError when it did not run. */
export async function runPrepared(
  { argv, box, isWritable, program, workspace, folder }: Prepared,
  { signal, tell }: Pick<CallContext, 'signal' | 'tell'>,
): Promise<JsonValue> {
  const lines = tell && byLine(tell)
  const end = await runCommand({
    ...{ argv, box, workspace, folder, signal },
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
    stopped: 'the call was stopped',
  }
  return `${name} was stopped with all that it started, because ${used[stop]}. What it did until then stays.`
}
