import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The command line of a process, words separated by spaces; empty when it is gone or cannot be seen. */
export async function commandOf(pid: number): Promise<string> {
  if (existsSync('/proc/self/cmdline')) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.replaceAll('\0', ' ')
  }
  const listed = await run('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => null)
  return listed?.stdout ?? ''
}
