import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { decodeAsText, encodingWords } from '@/lib/protocol/files/decode-text'
import { type Box, boxed, workspacePlace } from './command-sandbox'
import { type DiskExcess, type DiskWatch, watchDisk } from './disk-use'
import { launch, statusOf } from './launch'
import { endGroup, processesOf, watchGroup } from './process-group'
import { openProcessLimit, type ProcessLimit } from './process-limit'

const mebibyte = 1024 * 1024

/** Limits for time, memory, output and processes of a command and all its children together. */
type CommandLimits = {
  ms: number
  memoryBytes: number
  /** Processor time. */
  cpuMs: number
  processes: number
  outputBytes: number
}

/** A folder as it was opened: whether a path still leads there, its device and its number tell. */
export type OpenedFolder = { id: string; path: string }

export type Command = {
  /** The program and its arguments; no shell reads them. */
  argv: readonly string[]
  environment: Readonly<Record<string, string>>
  /** null = it runs without a sandbox. */
  box: Box | null
  /** The workspace, and the folder in it where the program begins: `path` is below the workspace, without a sandbox on the server. */
  workspace: OpenedFolder
  folder: OpenedFolder
  limits: CommandLimits
  /** The folder where it may write; null = it may write nowhere. */
  disk: DiskWatch | null
  signal: AbortSignal
  /** Gets what it writes as it comes, both streams together. */
  onOutput?: ((text: string) => void) | undefined
}

/** Why a command was ended by us. */
export type StopReason = 'time' | 'memory' | 'cpu' | 'processes' | 'output' | 'disk' | 'stopped'

export type CommandEnd = {
  /** null = a signal ended it. */
  exitCode: number | null
  stop: StopReason | null
  /** With the stop "disk": how much it was. */
  excess: DiskExcess | null
  /**
   * "folder": the folder is another one by now; "program": it could not be started; "sandbox": none could be made for it.
   * null = it ran.
   */
  failure: 'folder' | 'program' | 'sandbox' | null
  output: string
  errors: string
  /** The encoding, in words; null = UTF-8. */
  encoding: string | null
  ms: number
}

const neverStarted = {
  exitCode: null,
  stop: null,
  excess: null,
  output: '',
  errors: '',
  encoding: null,
  failure: 'program',
} as const

const lookEveryMs = 100
const lastWordsMs = 500
/** The largest file that a program may write, in blocks of 512 bytes. */
const fileBlocks = (256 * mebibyte) / 512
/** Few, because buffers of pipes and sockets take memory that no process has; fewer where nothing counts it. */
const mostOpenFiles = { counted: 256, uncounted: 64 }
/** Address space limit of a process where no group counts its memory: programs map more than they use. */
const addressed = (memoryBytes: number) => Math.max(4 * memoryBytes, 2_048 * mebibyte)

/**
 * Goes to the folder if it is the one that was opened, sets what the kernel limits, and becomes the program, if what was mounted is
 * what was found. It tells what it came to by descriptor 4, which the program does not get.
 */
const begin = `[ "$(stat -c %d:%i "$1")" = "$2" ] && cd -- "$3" && [ "$(stat -c %d:%i .)" = "$4" ] || { echo folder >&4; exit 1; }
most=$5; addressed=$6; shift 6
while [ "$1" != -- ]; do [ "$(stat -c %d:%i "$1")" = "$2" ] || exit 1; shift 2; done; shift
ulimit -c 0; ulimit -f ${fileBlocks}; ulimit -n ${mostOpenFiles.counted} 2>/dev/null
[ -z "$addressed" ] || { ulimit -v "$addressed"; ulimit -n ${mostOpenFiles.uncounted}; }
[ -z "$most" ] || ulimit -p "$most" 2>/dev/null || ulimit -u "$most"
command -v "$1" >/dev/null || { echo program >&4; exit 1; }
echo begun >&4; unset most addressed OLDPWD; exec nice -n 10 "$@" 4>&-`

/** Joins a control group, and becomes what follows. */
const join = 'echo $$ > "$1" && shift && exec "$@"'

/** Runs a program to its end. It is killed with all that it started when it uses too much, at a stop, and when this process ends. */
export async function runCommand(command: Command): Promise<CommandEnd> {
  const began = performance.now()
  const limit = await openProcessLimit(command.limits)
  const { argv, inputs } = launched(command, limit)
  let child: ChildProcess
  try {
    child = launch(argv, command.environment, inputs)
  } catch {
    // Arguments that the system does not take.
    await limit.close()
    return { ...neverStarted, ms: performance.now() - began }
  }
  const { status, ...end } = await watchToEnd(child, command, limit)
  const failure = end.stop === null ? failureIn(status, command.box !== null) : null
  return { ...end, failure, ms: performance.now() - began }
}

/** Returns what is started for a command: it joins the control groups, enters the sandbox, sets the limits and becomes the program. */
function launched({ argv, box, workspace, folder, limits }: Command, limit: ProcessLimit) {
  const places = box
    ? [workspacePlace, workspace.id, `${workspacePlace}/${folder.path}`, folder.id]
    : [workspace.path, workspace.id, folder.path, folder.id]
  // Without a sandbox, the kernel would count all processes of the user.
  const most = box && !limit.countsProcesses ? String(limits.processes) : ''
  const kibibytes = limit.countsMemory ? '' : String(addressed(limits.memoryBytes) / 1_024)
  const found = [...(box?.held ?? []), ...(box?.readOnly ?? [])].flatMap(({ place, id }) => [
    `${workspacePlace}/${place}`,
    id,
  ])
  const shell = ['/bin/sh', '-c']
  const around = box
    ? boxed(box, { sharedMemory: limit.countsMemory })
    : { command: [], inputs: [] }
  const joins = limit.groups.flatMap((group) => [...shell, join, 'sh', `${group}/cgroup.procs`])
  const begins = [...shell, begin, 'sh', ...places, most, kibibytes, ...found, '--', ...argv]
  return { argv: [...joins, ...around.command, ...begins], inputs: around.inputs }
}

/** Waits for the end of a program, and ends it when it uses too much or is stopped. `status`: what `begin` told. */
async function watchToEnd(
  child: ChildProcess,
  { limits, disk, signal, onOutput }: Command,
  limit: ProcessLimit,
): Promise<Omit<CommandEnd, 'failure' | 'ms'> & { status: string }> {
  const { pid } = child
  let stop: StopReason | null = null
  const end = (reason: StopReason | null) => {
    stop ??= reason
    if (pid !== undefined) endGroup(pid)
  }
  const output = collect(limits.outputBytes, () => end('output'), onOutput)
  child.stdin?.end()
  child.stdout?.on('data', output.take('output'))
  child.stderr?.on('data', output.take('errors'))
  let status = ''
  statusOf(child)?.on('data', (chunk: Buffer) => {
    status += chunk.toString()
  })
  const onAbort = () => end('stopped')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const timer = setTimeout(() => end('time'), limits.ms)
  const groupLimits = {
    ...limits,
    windowMs: Number.POSITIVE_INFINITY,
    everyMs: lookEveryMs,
    ...(limit.countsMemory ? { memoryBytes: Number.POSITIVE_INFINITY } : { countsShared: true }),
  }
  const unwatch = pid === undefined ? null : watchGroup(pid, groupLimits, ({ kind }) => end(kind))
  let excess: DiskExcess | null = null
  const unwatchDisk =
    pid !== undefined && disk
      ? watchDisk(
          disk,
          () => processesOf(pid),
          (found) => {
            excess ??= found
            end('disk')
          },
        )
      : null
  const endIfRanOut = async () => void ((await limit.ranOut()) && end('memory'))
  const looking = setInterval(() => void endIfRanOut(), lookEveryMs)
  const exitCode = await exitOf(child)
  await endIfRanOut()
  clearInterval(looking)
  clearTimeout(timer)
  unwatch?.()
  unwatchDisk?.()
  signal.removeEventListener('abort', onAbort)
  // Processes that it left behind end with it.
  end(null)
  for (const stream of child.stdio) stream?.destroy()
  void limit.close()
  return { exitCode, stop, excess, status, ...output.finish() }
}

/** Waits for the end of a program and for what it wrote, but not for another program that holds its output open. */
async function exitOf(child: ChildProcess): Promise<number | null> {
  const written = [child.stdout, child.stderr, statusOf(child)].map(
    (stream) => stream && once(stream, 'close'),
  )
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
  await Promise.race([Promise.all(written), sleep(lastWordsMs, undefined, { ref: false })])
  return exitCode
}

function failureIn(status: string, isBoxed: boolean): CommandEnd['failure'] {
  if (status.startsWith('begun')) return null
  if (status.startsWith('folder')) return 'folder'
  return isBoxed && status === '' ? 'sandbox' : 'program'
}

type Stream = 'output' | 'errors'

/** Collects what a program writes, at most so many bytes of both streams together, without what steers a terminal. */
function collect(most: number, onTooMuch: () => void, tell?: (text: string) => void) {
  const chunks: Record<Stream, Buffer[]> = { output: [], errors: [] }
  const decoders = { output: new StringDecoder('utf8'), errors: new StringDecoder('utf8') }
  let bytes = 0
  const show = (text: string) => {
    if (text !== '') tell?.(stripVTControlCharacters(text))
  }
  const decoded = (stream: Stream) => {
    const { text, ...read } = decodeAsText(Buffer.concat(chunks[stream]), { isCut: bytes >= most })
    return { text: stripVTControlCharacters(text), encoding: encodingWords(read) }
  }
  return {
    take: (stream: Stream) => (chunk: Buffer) => {
      if (bytes >= most) return
      const kept = chunk.subarray(0, most - bytes)
      bytes += kept.length
      chunks[stream].push(kept)
      show(decoders[stream].write(kept))
      if (bytes >= most) onTooMuch()
    },
    finish: () => {
      for (const stream of ['output', 'errors'] as const) show(decoders[stream].end())
      const [output, errors] = [decoded('output'), decoded('errors')]
      const encoding = output.encoding ?? errors.encoding
      return { output: output.text, errors: errors.text, encoding }
    },
  }
}
