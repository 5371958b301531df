import { readFileSync } from 'node:fs'

const CHECK_INTERVAL_MS = 500

/**
 * Calls `end` once when whoever runs this process is gone, so that nothing stays behind on the port: at once when the
 * parent holds a channel to us, else, under npm, which always outlives what it runs, as soon as npm or its shell is gone.
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

/** Our parent (npm's shell, or npm) and, where /proc tells, its parent. An orphan is adopted, so a name changes. */
function namesOfParents() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`
  } catch {
    return `${process.ppid}`
  }
}
