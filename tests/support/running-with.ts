import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processes whose arguments are these. */
export function runningWith(text: string): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.filter((id) => argumentsOf(id) === text)
}

function argumentsOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return ''
  }
}
