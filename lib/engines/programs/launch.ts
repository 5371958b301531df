import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Starts the program in a process group of its own, together with a reader of descriptor 3. When this process ends, also by
 * SIGKILL, that descriptor closes, and the reader kills the group.
 */
const launcher = '(read -r _ <&3; kill -9 -$$) >/dev/null 2>&1 </dev/null & exec 3<&-; exec "$@"'

/**
 * Starts a program as the leader of a process group, which ends with this process. No shell reads its arguments, and of the
 * environment it gets this alone.
 */
export function launch(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', launcher, 'toolgate', ...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: Object(environment),
  })
  child.stdin?.on('error', () => undefined)
  child.stdio[3]?.on('error', () => undefined)
  return child
}
