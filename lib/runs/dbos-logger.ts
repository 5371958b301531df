import 'server-only'
import { log } from '@/lib/log'

/** DBOS speaks through the application's log. */
export const dbosLogger = {
  info: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  debug: (entry: unknown) => log.debug({ source: 'dbos' }, text(entry)),
  warn: (entry: unknown) => log.warn({ source: 'dbos' }, text(entry)),
  error: (entry: unknown) => log.error({ source: 'dbos' }, text(entry)),
}

function text(entry: unknown): string {
  return entry instanceof Error ? (entry.stack ?? entry.message) : String(entry)
}
