import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** The descriptor by which what was launched can tell of itself, before it becomes a program. */
const statusDescriptor = 4
/** The descriptor of the first input. */
export const firstInput = 5

/**
 * Starts the program in a process group of its own, together with a reader of descriptor 3. When this process ends, also by
 * SIGKILL, that descriptor closes, and the reader kills the group.
 */
const launcher =
  '(read -r _ <&3; kill -9 -$$) >/dev/null 2>&1 </dev/null 4>&- 5<&- 6<&- & exec 3<&-; exec "$@"'

/**
 * Starts a program as the leader of a process group, which ends with this process. No shell reads its arguments, and of the
 * environment it gets this alone, and none of the descriptors that this process was started with. `inputs`: what it can read from
 * the descriptors `firstInput` and following, at most two; without them it has no `statusDescriptor` either. `cwd`: where it works,
 * if not where this process does.
 */
export function launch(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  inputs?: readonly Buffer[],
  cwd?: string | null,
): ChildProcess {
  const further = inputs ? [statusDescriptor, ...inputs].map(() => 'pipe' as const) : []
  const child = spawn('/bin/sh', ['-c', launcher, 'toolgate', ...command], {
    detached: true,
    stdio: withoutInherited(['pipe', 'pipe', 'pipe', 'pipe', ...further]),
    env: Object(environment),
    ...(cwd && { cwd }),
  })
  for (const stream of child.stdio) stream?.on('error', () => undefined)
  for (const [place, input] of (inputs ?? []).entries()) {
    const stream: unknown = child.stdio[firstInput + place]
    ;(stream as Writable | null)?.end(input)
  }
  return child
}

let inherited: { descriptors: number[]; nothing: number } | null = null

/** Puts the empty device in the place of each descriptor that this process was started with, and that others would inherit. */
function withoutInherited(pipes: readonly 'pipe'[]): StdioOptions {
  inherited ??= { descriptors: inheritedDescriptors(), nothing: openSync('/dev/null', 'r+') }
  const { descriptors, nothing } = inherited
  const length = Math.max(pipes.length, ...descriptors.map((each) => each + 1))
  return Array.from({ length }, (_, place) => {
    return pipes[place] ?? (descriptors.includes(place) ? nothing : 'ignore')
  })
}

const closesAtExec = 0o2000000

/** Returns the open descriptors behind the first three that do not close when a program starts; Node opens none of these. */
function inheritedDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && !(flagsOf(descriptor) & closesAtExec))
  } catch {
    return []
  }
}

function flagsOf(descriptor: number): number {
  try {
    const facts = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
    return Number.parseInt(/^flags:\s*(\d+)$/m.exec(facts)?.[1] ?? '', 8) || 0
  } catch {
    // It was the one by which the folder was read.
    return closesAtExec
  }
}

/** Returns what reads from `statusDescriptor`; null = nothing was started. */
export function statusOf({ stdio }: ChildProcess): Readable | null {
  // Node's types know five descriptors, and each as what either reads or writes.
  const stream: unknown = stdio[statusDescriptor]
  return (stream as Readable | undefined) ?? null
}
