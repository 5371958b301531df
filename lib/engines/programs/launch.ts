import { type ChildProcess, spawn } from 'node:child_process'
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
 * environment it gets this alone. `inputs`: what it can read from the descriptors `firstInput` and following, at most two;
 * without them it has no `statusDescriptor` either.
 */
export function launch(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  inputs?: readonly Buffer[],
): ChildProcess {
  const further = inputs ? [statusDescriptor, ...inputs].map(() => 'pipe' as const) : []
  const child = spawn('/bin/sh', ['-c', launcher, 'toolgate', ...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...further],
    env: Object(environment),
  })
  for (const stream of child.stdio) stream?.on('error', () => undefined)
  for (const [place, input] of (inputs ?? []).entries()) {
    const stream: unknown = child.stdio[firstInput + place]
    ;(stream as Writable | null)?.end(input)
  }
  return child
}

/** Returns what reads from `statusDescriptor`; null = nothing was started. */
export function statusOf({ stdio }: ChildProcess): Readable | null {
  // Node's types know five descriptors, and each as what either reads or writes.
  const stream: unknown = stdio[statusDescriptor]
  return (stream as Readable | undefined) ?? null
}
