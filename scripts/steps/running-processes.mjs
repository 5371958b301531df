import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const hasProc = existsSync('/proc/self/stat')

/** Returns when a process started, in the digits of this system; empty when it has ended. */
export function startTimeOf(pid) {
  if (!hasProc) return String(Date.parse(ask(pid, 'lstart')) || '')
  const stat = read(pid, 'stat')
  // The name of the program, in brackets, may have spaces and brackets of its own.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? '' : (fields[18] ?? '')
}

/** Returns the command line of a process, words separated by spaces; empty when it has ended. */
export function commandOf(pid) {
  return hasProc ? read(pid, 'cmdline').replaceAll('\0', ' ') : ask(pid, 'command')
}

/** Returns the ids of the processes that were started with a variable whose value passes `isWanted`. Needs /proc. */
export function processesWith(name, isWanted) {
  if (!hasProc) return []
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.map(Number).filter((pid) => {
    const line = read(pid, 'environ')
      .split('\0')
      .find((each) => each.startsWith(`${name}=`))
    return line !== undefined && isWanted(line.slice(name.length + 1))
  })
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It has ended, or belongs to somebody else.
    return ''
  }
}

function ask(pid, field) {
  try {
    const args = ['-ww', '-p', String(pid), '-o', `${field}=`]
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
