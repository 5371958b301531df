import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { ServerAddress } from './server-address'

type StdioAddress = Extract<ServerAddress, { type: 'stdio' }>

/** Processes and messages between them of its own; it ends with whoever started it. */
const isolation = [
  '--die-with-parent',
  '--unshare-pid',
  '--unshare-ipc',
  '--new-session',
  // Root could take the hiding away.
  '--cap-drop',
  'ALL',
]
const places = ['--dev-bind', '/', '/', '--proc', '/proc']

let known: Promise<boolean> | null = null

/** Returns whether bubblewrap is installed and may make a sandbox here. It is tried once. */
export function hasSandbox(): Promise<boolean> {
  known ??= promisify(execFile)('bwrap', [...isolation, ...places, 'true'], { timeout: 5_000 })
    .then(() => true)
    .catch(() => false)
  return known
}

/**
 * Returns the command in a sandbox, where there is one: it sees no process but its own, and
 * none of the hidden folders.
 */
export async function sandboxed(address: StdioAddress): Promise<readonly string[]> {
  const { command, hiddenFolders } = address
  if (!(await hasSandbox())) return command
  const folders = await Promise.all(hiddenFolders.map((folder) => realpath(folder)))
  const hidden = folders.flatMap((folder) => ['--tmpfs', folder])
  return ['bwrap', ...isolation, ...places, ...hidden, '--', ...command]
}
