// Loaded before a program of the tests: ends it soon after the process that started it, however that ended.
import { isMainThread } from 'node:worker_threads'

const CHECK_INTERVAL_MS = 500

if (isMainThread) {
  const parent = process.ppid
  // Another process adopts the children of one that has ended.
  const check = () => process.ppid !== parent && process.exit(1)
  setInterval(check, CHECK_INTERVAL_MS).unref()
}
