import { describe, expect, it } from 'vitest'
import { createLogger } from './create-logger'
import { logRow } from './log-sink'

function rowOf(fields: object, message = 'm') {
  let row: ReturnType<typeof logRow> = null
  const logger = createLogger((line) => {
    row = logRow(line)
  }, 'debug')
  logger.info(fields, message)
  return row
}

describe('logRow', () => {
  it('takes every field of a line to its column', () => {
    const userId = '0198a3b4-1111-7abc-8def-0123456789ab'
    expect(
      rowOf({ source: 'auth', incidentId: 'i', ipAddress: '::1', userId, tries: 5 }, 'No'),
    ).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.any(Date),
      level: 'info',
      message: 'No',
      source: 'auth',
      incidentId: 'i',
      ipAddress: '::1',
      userId,
      payload: { tries: 5 },
    })
  })

  it('stands in for what is missing or does not fit its column', () => {
    expect(rowOf({ userId: 'system' })).toMatchObject({
      source: 'toolgate',
      userId: null,
      incidentId: null,
    })
    expect(rowOf({ source: 'x'.repeat(500) })).toMatchObject({ source: 'toolgate' })
    expect(rowOf({})).not.toHaveProperty('payload')
  })

  it('bounds the payload', () => {
    const lists = Array.from({ length: 50 }, () => 'word '.repeat(1_000))
    const row = rowOf({ lists })
    expect(JSON.stringify(row).length).toBeLessThan(40_000)
    expect(row).toHaveProperty('payload.characters')
  })

  it('leaves out debug lines and what is no line of the logger', () => {
    const lines: string[] = []
    createLogger((line) => lines.push(line), 'debug').debug('small talk')
    expect([...lines, 'text', '', '{}', 'null'].map(logRow)).toEqual([null, null, null, null, null])
  })

  it('stores a fatal line as an error', () => {
    let row: ReturnType<typeof logRow> = null
    createLogger((line) => {
      row = logRow(line)
    }, 'info').fatal('over')
    expect(row).toMatchObject({ level: 'error' })
  })
})
