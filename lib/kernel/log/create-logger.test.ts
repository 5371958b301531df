import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLogger } from './create-logger'

/** Matches control, line and paragraph separators, and characters that change the direction of text. */
const steers = (character: string) =>
  /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(character)

function recorder(level?: string) {
  const lines: string[] = []
  return { lines, logger: createLogger((line) => lines.push(line), level) }
}

describe('createLogger', () => {
  it('writes one JSON line with the fields in their places', () => {
    const { lines, logger } = recorder()
    logger.warn(
      { source: 'engine', incidentId: 'i-1', userId: 'u-1', ipAddress: '::1', runId: 'r' },
      'Late',
    )
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      source: 'engine',
      incidentId: 'i-1',
      userId: 'u-1',
      ipAddress: '::1',
      payload: { runId: 'r' },
      message: 'Late',
    })
  })

  it('cannot be made to forge a level, a time or a message', () => {
    const { lines, logger } = recorder()
    logger.info({ level: 'error', at: 'never', message: 'forged', payload: 1 }, 'real')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      message: 'real',
      payload: { level: 'error', at: 'never', message: 'forged', payload: 1 },
    })
  })

  it('stays on one line and steers no terminal, whatever it is told', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 50 })
    fc.assert(
      fc.property(hostile, hostile, hostile, (source, key, text) => {
        const { lines, logger } = recorder()
        logger.info({ source, [`k${key}`]: text }, `${text}\n{"level":"error"}\u2028\u009b2J\u202e`)
        const line = lines.join('')
        expect(line.endsWith('\n')).toBe(true)
        expect([...line.slice(0, -1)].filter(steers)).toEqual([])
        expect(JSON.parse(line).level).toBe('info')
      }),
    )
  })

  it('never lets a secret out: in the message, its values, fields and payload', () => {
    const { lines, logger } = recorder()
    const secret = 'sk-live-0123456789abcdef'
    logger.error(
      { source: secret, body: { nested: `key ${secret}` }, apiKey: 'plain' },
      `used ${secret}`,
    )
    logger.error('with value %s and %j', secret, { password: 'plain2' })
    logger.error(new Error(`bad ${secret}`))
    logger.error({ err: new Error(`bad ${secret}`) }, 'failed')
    expect(lines).toHaveLength(4)
    expect(lines.join('')).not.toMatch(/0123456789abcdef|plain/)
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      message: 'bad [redacted]',
      payload: { err: { type: 'Error' } },
    })
  })

  it('keeps percent signs and empty messages as they are', () => {
    const { lines, logger } = recorder()
    logger.info({ source: 'a' }, '100% of %s')
    logger.info({ source: 'a' })
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['100% of %s', ''])
  })

  it('obeys the level, and takes an unknown one for info', () => {
    const quiet = recorder('warn')
    quiet.logger.info('no')
    quiet.logger.warn('yes')
    const odd = recorder('loud')
    odd.logger.debug('no')
    odd.logger.info('yes')
    expect([quiet.lines.length, odd.lines.length]).toEqual([1, 1])
  })
})
