import { afterEach, expect, it, vi } from 'vitest'
import { configureLogSink, flushLog, type LogDb, log, logToStandardError, storedLog } from './log'
import type { LogRow } from './log/log-sink'

function memoryDb(): LogDb & { rows: LogRow[] } {
  const rows: LogRow[] = []
  return {
    rows,
    logEntry: { createMany: async ({ data }) => rows.push(...data) },
    $executeRaw: async () => 0,
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('stores what a start says in its own words, and prints none of it', async () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const db = memoryDb()
  configureLogSink(db)
  storedLog.info({ source: 'server' }, 'Ready')
  await flushLog()
  expect(out).not.toHaveBeenCalled()
  expect(db.rows).toMatchObject([{ source: 'server', message: 'Ready' }])
})

it('does not let a hanging database hold up the end of the process', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const never = new Promise<unknown>(() => {})
  configureLogSink({ logEntry: { createMany: () => never }, $executeRaw: () => never })
  log.error({ source: 'test' }, 'Never stored')
  await expect(flushLog(20)).resolves.toBeUndefined()
})

it('leaves standard output to a program that asks for it', () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  logToStandardError()
  log.error({ source: 'test' }, 'Aside')
  expect(out).not.toHaveBeenCalled()
  expect(String(err.mock.calls[0]?.[0])).toContain('"message":"Aside"')
})
