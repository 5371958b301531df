import { readFileSync } from 'node:fs'

const CHECK_INTERVAL_MS = 500

/**
 * Calls `end` once when the parent process has ended, so that nothing keeps the port. Notices it at once when the
 * parent has a channel to this process; otherwise, under npm, by checking whether npm or its shell still runs.
 */
export function whenParentEnds(end) {
  process.once('disconnect', end)
  if (!process.env.npm_lifecycle_event || process.channel) return
  const parents = namesOfParents()
  const timer = setInterval(() => {
    if (namesOfParents() === parents) return
    clearInterval(timer)
    end()
  }, CHECK_INTERVAL_MS)
  timer.unref()
}

/**
 * Returns the ids of the parent process (npm's shell, or npm) and, where /proc has it, of the shell's parent. When a
 * parent ends, another process adopts its children, so an id changes.
 */
function namesOfParents() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    // The process that started npm may end: `npm test &`.
    if (/^Name:\s*npm/.test(status)) return `${process.ppid}`
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`
  } catch {
    return `${process.ppid}`
  }
}
