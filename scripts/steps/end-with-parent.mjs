const CHECK_INTERVAL_MS = 500

/**
 * Ends this process when its parent was killed, so that nothing stays behind on the port: at once when the parent
 * holds a channel to us, else, under npm, which always outlives what it runs, as soon as another process adopted us.
 */
export function endWithParent() {
  process.on('disconnect', () => process.exit(1))
  if (!process.env.npm_lifecycle_event || process.channel) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, CHECK_INTERVAL_MS).unref()
}
