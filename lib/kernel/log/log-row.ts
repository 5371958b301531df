import { v7 as uuidv7, validate } from 'uuid'
import { z } from 'zod'
import type { Prisma } from '@/lib/generated/prisma/client'

const MAX_PAYLOAD = 32_000

/** A line as the logger writes it. */
const LogLineText = z.object({
  level: z.enum(['info', 'warn', 'error', 'fatal']),
  at: z.iso.datetime(),
  message: z.string().default(''),
  source: z.string().max(100).catch('toolgate'),
  incidentId: z.string().max(100).nullish().catch(null),
  ipAddress: z.string().max(100).nullish().catch(null),
  userId: z.string().nullish(),
  payload: z.json().optional(),
})

export type LogRow = Prisma.LogEntryCreateManyInput

/**
 * The row of `log_entries` for one line, or null for a line below `info` or one that is not the logger's. Its id is
 * given here, so that writing it twice after an unclear failure changes nothing.
 */
export function logRow(line: string): LogRow | null {
  const parsed = LogLineText.safeParse(readJson(line))
  if (!parsed.success) return null
  const { level, at, message, source, incidentId, ipAddress, userId, payload } = parsed.data
  return {
    id: uuidv7(),
    at: new Date(at),
    level: level === 'fatal' ? 'error' : level,
    message,
    source,
    incidentId: incidentId ?? null,
    ipAddress: ipAddress ?? null,
    userId: validate(userId) ? userId : null,
    ...(payload === undefined || payload === null ? {} : { payload: bounded(payload) }),
  }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function bounded(payload: Prisma.InputJsonValue): Prisma.InputJsonValue {
  const text = JSON.stringify(payload)
  if (text.length <= MAX_PAYLOAD) return payload
  return { truncated: text.slice(0, MAX_PAYLOAD).toWellFormed(), characters: text.length }
}
