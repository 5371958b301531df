import type { Box } from '@/lib/engines/programs/command-sandbox'
import {
  type CommandEnd,
  type OpenedFolder,
  runCommand,
  type StopReason,
} from '@/lib/engines/programs/run-command'
import { standIns } from '@/lib/engines/programs/stand-ins'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import {
  isKnownProgram,
  isWriter,
  programArguments,
  programEnvironment,
} from '@/lib/protocol/known-programs'
import { refusedArgument } from '@/lib/protocol/program-rules'
import { type CallContext, type JsonValue, ToolError } from '@/lib/protocol/tool'
import { type Folder, withFolder } from './sandbox/contained'
import { findCoveredPlaces } from './sandbox/secret-files'
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
  const [top, begin] = [await idOf(root, []), await idOf(root, parts)]
  const below = parts.join('/')
  const box = program.isBoxed ? await boxOf(program, workspace) : null
  return {
    argv: [program.path, ...program.first, ...programArguments(program.path, asked.arguments)],
    place: [workspace.name, ...parts].join('/'),
    box,
    program,
    workspace: { id: top, path: root },
    folder: { id: begin, path: box ? below || '.' : [root, ...parts].join('/') },
  }
}

async function boxOf(program: UsableProgram, { root, isWritable }: UsableWorkspace): Promise<Box> {
  const { network, readable } = program
  const { files, folders, replaced, repositories } = await findCoveredPlaces(root)
  const { emptyFolder, settings } = await standIns()
  const isKnown = isKnownProgram(program.name)
  return {
    root,
    isWritable: isWritable && (!isKnown || isWriter(program.name)),
    network,
    readable,
    hidden: { files, folders },
    replaced: replaced.map(({ place, by }) => ({
      place,
      by: by === 'empty-folder' ? emptyFolder : settings(by),
    })),
    readOnly: isKnown ? repositories : [],
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

/** Returns what tells the folder from any other one: its device and its number there. */
async function idOf(root: string, parts: readonly string[]): Promise<string> {
  return withFolder(root, parts, async ({ handle }: Folder) => {
    const { dev, ino } = await handle.stat({ bigint: true })
    return `${dev}:${ino}`
  })
}

/** Runs a command and returns what the model gets. Throws ToolError when it did not run. */
export async function runPrepared(
  { argv, box, program, workspace, folder }: Prepared,
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
  if (end.failure === 'program')
    throw new ToolError('program-not-ready', `${program.name} could not be started on this server.`)
  return answerOf(end, program)
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
