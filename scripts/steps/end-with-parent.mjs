import { readFileSync } from 'node:fs'

const CHECK_INTERVAL_MS = 500

/**
 * Ends this process when whoever runs it was killed, so that nothing stays behind on the port: at once when the parent
 * holds a channel to us, else, under npm, which always outlives what it runs, as soon as npm or its shell is gone.
 */
export function endWithParent() {
  process.on('disconnect', () => process.exit(1))
  if (!process.env.npm_lifecycle_event || process.channel) return
  const parents = namesOfParents()
  setInterval(() => {
    if (namesOfParents() !== parents) process.exit(1)
  }, CHECK_INTERVAL_MS).unref()
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
