import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Says that it has the lock, and keeps it until its input ends: also when this process is killed. */
const keep = ['/bin/sh', '-c', 'echo locked; read -r _']
const isTaken = 75

/**
 * Locks a folder against other processes of Toolgate on this machine. Returns how to open it again. `isAlone` false: others may
 * share the lock. `onWait` is told when another one has it. Without locks, on some file systems of networks, nothing is locked.
 * Rejects with the reason of the signal.
 */
export async function lockFolder(
  { folder, isAlone }: { folder: string; isAlone: boolean },
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => Promise<void>> {
  const lock = [isAlone ? '-x' : '-s', folder]
  const first = await tryLock(['-n', '-E', String(isTaken), ...lock], signal)
  if (first !== isTaken) return openerOf(first)
  onWait()
  return openerOf(await tryLock(lock, signal))
}

function openerOf(holder: ChildProcess | number | null): () => Promise<void> {
  return async () => {
    if (holder === null || typeof holder === 'number') return
    if (holder.exitCode !== null || holder.signalCode !== null) return
    const ended = once(holder, 'exit')
    holder.stdin?.end()
    await ended
  }
}

/** Returns the process that holds the lock, or what it ended with instead; null = it could not be started. */
async function tryLock(
  args: readonly string[],
  signal: AbortSignal,
): Promise<ChildProcess | number | null> {
  const child = spawn('flock', [...args, ...keep], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin?.on('error', () => undefined)
  const end = () => {
    child.stdin?.end()
    child.kill('SIGKILL')
  }
  signal.addEventListener('abort', end, { once: true })
  const found = await new Promise<ChildProcess | number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
    child.stdout?.once('data', () => resolve(child))
  })
  signal.removeEventListener('abort', end)
  if (signal.aborted) end()
  signal.throwIfAborted()
  return found
}
